-- Owners who have hidden the first steps on their home page.
CREATE TABLE hidden_first_steps (
  -- An account, own or hosted.
  user_id uuid PRIMARY KEY,
  hidden_at timestamptz NOT NULL DEFAULT now()
);

-- The mail server (host and port) that accepted the last test email.
ALTER TABLE installation ADD COLUMN tested_mail_server text;
