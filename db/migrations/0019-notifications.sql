-- What the product tells a person: one row for each of them, so that reading is theirs alone.
CREATE TABLE notifications (
  id uuid PRIMARY KEY,
  -- An account, own or hosted.
  user_id uuid NOT NULL,
  kind text NOT NULL,
  title text NOT NULL,
  body text,
  -- A path of this site.
  link text NOT NULL,
  -- The row that it is about. Erasing that row erases the notification.
  subject_id uuid,
  -- An event is told once.
  dedupe_key text NOT NULL,
  read_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX notifications_once ON notifications (user_id, dedupe_key);
CREATE INDEX notifications_newest ON notifications (user_id, id DESC);
CREATE INDEX notifications_unread ON notifications (user_id) WHERE read_at IS NULL;
CREATE INDEX notifications_subject ON notifications (subject_id) WHERE subject_id IS NOT NULL;
