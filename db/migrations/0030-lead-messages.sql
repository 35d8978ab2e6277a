-- Emails of the lead desk, in both directions, with their files, and the templates of replies.

CREATE TABLE lead_messages (
  id uuid PRIMARY KEY,
  -- Missing while nobody knows whose email it is: it waits in the inbox of unknown senders.
  contact_id uuid REFERENCES contacts (id) ON DELETE CASCADE,
  direction text NOT NULL CHECK (direction IN ('in', 'out')),
  kind text NOT NULL DEFAULT 'message' CHECK (kind IN ('message', 'autoreply', 'bounce')),
  state text NOT NULL CHECK (state IN ('received', 'dismissed', 'scheduled', 'sending', 'sent', 'failed')),
  -- As in the headers, with angle brackets.
  message_id text NOT NULL,
  in_reply_to text,
  thread_ids text[] NOT NULL DEFAULT '{}',
  from_name text NOT NULL DEFAULT '',
  from_address text NOT NULL,
  to_addresses text[] NOT NULL DEFAULT '{}',
  subject text NOT NULL DEFAULT '',
  -- Plain text, or the Markdown of a reply; and the sanitized HTML to show. Remote pictures stay out of it until the reader asks.
  text text NOT NULL DEFAULT '',
  html text,
  has_remote_content boolean NOT NULL DEFAULT false,
  -- The member of staff who wrote it.
  author_id uuid,
  -- When it is due and, once it was handed over to the outbox, when that was.
  send_at timestamptz,
  error text,
  -- How an incoming email found its lead. An address alone proves nothing: anyone can write as anyone.
  matched_by text CHECK (matched_by IN ('thread', 'token', 'sender', 'staff')),
  -- SHA-256 of an incoming email's bytes: a mailbox that numbers its emails anew brings none twice.
  digest bytea,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT lead_messages_digest_key UNIQUE (digest),
  CONSTRAINT lead_messages_states CHECK ((direction = 'in') = (state IN ('received', 'dismissed')))
);
CREATE INDEX lead_messages_contact ON lead_messages (contact_id, created_at DESC, id DESC);
-- Few: the emails that are due, and those in the outbox.
CREATE INDEX lead_messages_open ON lead_messages (contact_id) WHERE state IN ('scheduled', 'sending');
CREATE INDEX lead_messages_by_message_id ON lead_messages (message_id);
CREATE INDEX lead_messages_unknown ON lead_messages (state, created_at DESC, id DESC) WHERE contact_id IS NULL AND direction = 'in';

-- Files of a lead: of an email in either direction, of the visitor's own page, or added by staff. The bytes are in the file storage.
CREATE TABLE lead_files (
  id uuid PRIMARY KEY,
  contact_id uuid REFERENCES contacts (id) ON DELETE CASCADE,
  message_id uuid REFERENCES lead_messages (id) ON DELETE CASCADE,
  source text NOT NULL CHECK (source IN ('email', 'reply', 'visitor', 'staff')),
  name text NOT NULL,
  type text NOT NULL,
  size integer NOT NULL CHECK (size >= 0),
  -- The name in the file storage.
  stored_as text NOT NULL,
  created_by uuid,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT lead_files_owner CHECK (contact_id IS NOT NULL OR message_id IS NOT NULL)
);
CREATE INDEX lead_files_contact ON lead_files (contact_id, created_at);
CREATE INDEX lead_files_message ON lead_files (message_id);

-- The bytes of a deleted row go a day later, so that a running backup still finds them. This holds for every way in which a row goes,
-- such as the erasure of its lead.
CREATE OR REPLACE FUNCTION lead_file_gone() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO jobs (id, kind, payload, run_at) VALUES (gen_random_uuid(), 'lead-files.remove',
    jsonb_build_object('id', OLD.id, 'storedAs', OLD.stored_as), now() + interval '1 day'); RETURN NULL; END $$;
CREATE TRIGGER lead_file_gone AFTER DELETE ON lead_files FOR EACH ROW EXECUTE FUNCTION lead_file_gone();

CREATE TABLE lead_templates (
  id uuid PRIMARY KEY,
  name text NOT NULL CONSTRAINT lead_templates_name_key UNIQUE,
  subject text NOT NULL,
  -- Markdown with fields such as {{firstName}}.
  text text NOT NULL,
  position integer NOT NULL DEFAULT 0,
  updated_by uuid,
  updated_at timestamptz NOT NULL DEFAULT now()
);

INSERT INTO lead_templates (id, name, subject, text, position) VALUES
  ('0a5f4c1e-6d0b-4f6e-9c55-3d1f4b7a2e01', 'First reply', 'Your enquiry {{reference}}', E'Hi {{firstName}},\n\nThank you for writing to us. I have read your enquiry, and I have a few questions before I propose anything:\n\n- Which pages or sites should the data come from?\n- How often do you need it?\n- In which format would you like to receive it?\n\nYou can reply to this email, or [choose a time for a call]({{callLink}}).\n\nBest,\n{{senderName}}', 1),
  ('0a5f4c1e-6d0b-4f6e-9c55-3d1f4b7a2e02', 'Book a call', 'A call about {{reference}}', E'Hi {{firstName}},\n\nA short call would be the quickest way to settle the details. [Choose a time that suits you]({{callLink}}).\n\nBest,\n{{senderName}}', 2),
  ('0a5f4c1e-6d0b-4f6e-9c55-3d1f4b7a2e03', 'Follow-up', 'Any news about {{reference}}?', E'Hi {{firstName}},\n\nI am following up on my last email about {{service}}. Is this still of interest to you?\n\nIf your plans have changed, a short reply is enough.\n\nBest,\n{{senderName}}', 3);

-- The end of every reply of a member of staff, in Markdown.
CREATE TABLE lead_signatures (
  user_id uuid PRIMARY KEY,
  text text NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now()
);

-- The last email that was read of each folder. It changes in the transaction that stores the email.
CREATE TABLE mailboxes (
  -- Host, user and folder.
  name text PRIMARY KEY,
  uid_validity bigint NOT NULL,
  last_uid bigint NOT NULL,
  checked_at timestamptz,
  error text
);

-- An address that bounced is marked where staff would write to it.
ALTER TABLE people ADD COLUMN bounced_at timestamptz;
ALTER TABLE people ADD COLUMN bounce_reason text;

-- An answer to an automatic email names its Message-ID.
CREATE INDEX jobs_by_message_id ON jobs ((payload->>'messageId')) WHERE kind = 'letter';

ALTER TABLE lead_events ADD COLUMN message_id uuid REFERENCES lead_messages (id) ON DELETE CASCADE;
CREATE INDEX lead_events_message ON lead_events (message_id) WHERE message_id IS NOT NULL;
