-- The lead desk: stages, owners, values, tasks, notes and the timeline of each enquiry.

-- The pipeline. `automatic` names the event that moves a lead here; the operator renames, adds and removes the others.
CREATE TABLE lead_stages (
  id integer PRIMARY KEY,
  name text NOT NULL CHECK (name <> ''),
  position integer NOT NULL,
  -- Percent.
  probability integer NOT NULL CHECK (probability BETWEEN 0 AND 100),
  outcome text NOT NULL DEFAULT 'open' CHECK (outcome IN ('open', 'won', 'lost')),
  automatic text UNIQUE CHECK (automatic IN ('new', 'reply', 'call', 'proposal', 'won', 'lost')),
  CONSTRAINT lead_stages_ends CHECK ((outcome = 'open') = (automatic IS NULL OR automatic NOT IN ('won', 'lost')))
);
INSERT INTO lead_stages (id, name, position, probability, outcome, automatic) VALUES
  (1, 'New', 1, 5, 'open', 'new'),
  (2, 'Acknowledged', 2, 15, 'open', 'reply'),
  (3, 'Qualified', 3, 30, 'open', NULL),
  (4, 'Call booked', 4, 50, 'open', 'call'),
  (5, 'Proposal sent', 5, 70, 'open', 'proposal'),
  (6, 'Won', 6, 100, 'won', 'won'),
  (7, 'Lost', 7, 0, 'lost', 'lost');

-- Enquiries of another program have no form. Deleted ones can be restored until they are erased.
ALTER TABLE contacts DROP CONSTRAINT contacts_form_check;
ALTER TABLE contacts ADD CONSTRAINT contacts_form_check CHECK (form IN ('home', 'contact', 'landing', 'hire', 'import'));
ALTER TABLE contacts ADD COLUMN deleted_at timestamptz;
CREATE INDEX contacts_deleted ON contacts (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX contacts_email ON contacts (email);
CREATE INDEX consultations_email ON consultations (email);

-- Lists and counts leave deleted enquiries out, so their indexes do too.
DROP INDEX contacts_newest;
CREATE INDEX contacts_newest ON contacts (created_at DESC, id DESC) WHERE quarantined_at IS NULL AND deleted_at IS NULL;
DROP INDEX contacts_waiting;
CREATE INDEX contacts_waiting ON contacts (created_at) WHERE quarantined_at IS NULL AND deleted_at IS NULL AND answered_at IS NULL;
DROP INDEX contacts_without_proposal;
CREATE INDEX contacts_without_proposal ON contacts (created_at) WHERE quarantined_at IS NULL AND deleted_at IS NULL AND proposal IS NULL;
DROP INDEX contacts_clock_of_answer;
CREATE INDEX contacts_clock_of_answer ON contacts (promised_from) WHERE quarantined_at IS NULL AND deleted_at IS NULL AND answered_at IS NULL;
DROP INDEX contacts_clock_of_proposal;
CREATE INDEX contacts_clock_of_proposal ON contacts (promised_from) WHERE quarantined_at IS NULL AND deleted_at IS NULL AND proposal IS NULL;
DROP INDEX contacts_by_name;
CREATE INDEX contacts_by_name ON contacts ((lower(name) COLLATE "C"), id) WHERE quarantined_at IS NULL AND deleted_at IS NULL;
DROP INDEX contacts_by_email;
CREATE INDEX contacts_by_email ON contacts ((lower(email::text) COLLATE "C"), id) WHERE quarantined_at IS NULL AND deleted_at IS NULL;
DROP INDEX contacts_by_company;
CREATE INDEX contacts_by_company ON contacts ((lower(coalesce(company, '')) COLLATE "C"), id) WHERE quarantined_at IS NULL AND deleted_at IS NULL;
DROP INDEX contacts_by_service;
CREATE INDEX contacts_by_service ON contacts ((lower(coalesce(service_type, '')) COLLATE "C"), id) WHERE quarantined_at IS NULL AND deleted_at IS NULL;

-- The desk's side of an enquiry: one narrow row for each of `contacts`, so that a filter, a count or a bulk change never touches the long
-- texts and their search index. A trigger keeps the copies of what the desk filters by, and no code can forget the row.
CREATE TABLE leads (
  contact_id uuid PRIMARY KEY REFERENCES contacts (id) ON DELETE CASCADE,
  stage_id integer NOT NULL DEFAULT 1 REFERENCES lead_stages (id),
  stage_since timestamptz NOT NULL DEFAULT now(),
  -- An account, own or hosted.
  owner_id uuid,
  value_cents bigint CHECK (value_cents >= 0),
  next_step text,
  next_step_at timestamptz,
  tags text[] NOT NULL DEFAULT '{}',
  is_starred boolean NOT NULL DEFAULT false,
  phone text,
  lost_reason text,
  updated_at timestamptz NOT NULL DEFAULT now(),
  -- Copies.
  is_listed boolean NOT NULL,
  is_answered boolean NOT NULL,
  country text NOT NULL,
  service_type text,
  form text NOT NULL,
  created_at timestamptz NOT NULL
);

CREATE OR REPLACE FUNCTION keep_lead() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO leads (contact_id, is_listed, is_answered, country, service_type, form, created_at, stage_since)
    VALUES (NEW.id, NEW.quarantined_at IS NULL AND NEW.deleted_at IS NULL, NEW.answered_at IS NOT NULL, NEW.country, NEW.service_type, NEW.form,
      NEW.created_at, NEW.created_at)
    ON CONFLICT (contact_id) DO UPDATE SET is_listed = excluded.is_listed, is_answered = excluded.is_answered, country = excluded.country,
      service_type = excluded.service_type, form = excluded.form, created_at = excluded.created_at; RETURN NULL; END $$;
CREATE TRIGGER contacts_keep_lead AFTER INSERT OR UPDATE OF quarantined_at, deleted_at, answered_at, country, service_type, form, created_at
  ON contacts FOR EACH ROW EXECUTE FUNCTION keep_lead();

-- What happened so far decides the first stage.
INSERT INTO leads (contact_id, stage_id, stage_since, is_listed, is_answered, country, service_type, form, created_at)
  SELECT c.id,
    CASE WHEN c.proposal = 'sent' THEN 5 WHEN call.id IS NOT NULL THEN 4 WHEN c.answered_at IS NOT NULL THEN 2 ELSE 1 END,
    CASE WHEN c.proposal = 'sent' THEN c.proposal_settled_at WHEN call.id IS NOT NULL THEN call.created_at ELSE coalesce(c.answered_at, c.created_at) END,
    c.quarantined_at IS NULL, c.answered_at IS NOT NULL, c.country, c.service_type, c.form, c.created_at
  FROM contacts c LEFT JOIN consultations call ON call.contact_id = c.id;

CREATE INDEX leads_newest ON leads (created_at DESC, contact_id DESC) WHERE is_listed;
CREATE INDEX leads_by_stage ON leads (stage_id, stage_since DESC, contact_id DESC);
CREATE INDEX leads_by_stage_time ON leads (stage_since, contact_id) WHERE is_listed;
CREATE INDEX leads_by_value ON leads ((coalesce(value_cents, -1)), contact_id) WHERE is_listed;
CREATE INDEX leads_by_next_step ON leads ((coalesce(next_step_at, 'infinity'::timestamptz)), contact_id) WHERE is_listed;
CREATE INDEX leads_by_country ON leads ((lower(country) COLLATE "C"), contact_id) WHERE is_listed;
CREATE INDEX leads_owner ON leads (owner_id) WHERE owner_id IS NOT NULL;
-- A lead without tags costs nothing here.
CREATE INDEX leads_tags ON leads USING gin (tags) WHERE tags <> '{}';

-- Bulk changes and imports: each can be undone as a whole.
CREATE TABLE lead_batches (
  id uuid PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('stage', 'owner', 'tags', 'delete', 'import')),
  actor_id uuid,
  -- The file of an import.
  title text,
  leads integer NOT NULL DEFAULT 0,
  undone_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX lead_batches_imports ON lead_batches (created_at DESC, id DESC) WHERE kind = 'import';

CREATE TABLE lead_notes (
  id uuid PRIMARY KEY,
  contact_id uuid NOT NULL REFERENCES contacts (id) ON DELETE CASCADE,
  author_id uuid,
  -- Markdown, and what it was rendered to.
  text text NOT NULL,
  html text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX lead_notes_contact ON lead_notes (contact_id, created_at DESC);

CREATE TABLE lead_tasks (
  id uuid PRIMARY KEY,
  contact_id uuid NOT NULL REFERENCES contacts (id) ON DELETE CASCADE,
  title text NOT NULL,
  assignee_id uuid,
  due_at timestamptz,
  remind_at timestamptz,
  done_at timestamptz,
  created_by uuid,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX lead_tasks_contact ON lead_tasks (contact_id, created_at);
CREATE INDEX lead_tasks_open ON lead_tasks (assignee_id, due_at) WHERE done_at IS NULL;

-- The timeline: what happened to an enquiry, with the values before and after.
CREATE TABLE lead_events (
  id uuid PRIMARY KEY,
  contact_id uuid NOT NULL REFERENCES contacts (id) ON DELETE CASCADE,
  kind text NOT NULL,
  actor_id uuid,
  detail jsonb NOT NULL DEFAULT '{}',
  note_id uuid REFERENCES lead_notes (id) ON DELETE SET NULL,
  batch_id uuid REFERENCES lead_batches (id),
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX lead_events_timeline ON lead_events (contact_id, created_at DESC, id DESC);
CREATE INDEX lead_events_batch ON lead_events (batch_id) WHERE batch_id IS NOT NULL;
CREATE INDEX lead_events_note ON lead_events (note_id) WHERE note_id IS NOT NULL;

INSERT INTO lead_events (id, contact_id, kind, created_at) SELECT gen_random_uuid(), id, 'answered', answered_at FROM contacts WHERE answered_at IS NOT NULL;
INSERT INTO lead_events (id, contact_id, kind, created_at) SELECT gen_random_uuid(), id, CASE proposal WHEN 'sent' THEN 'proposal_sent' ELSE 'proposal_not_needed' END,
  proposal_settled_at FROM contacts WHERE proposal IS NOT NULL;
INSERT INTO lead_events (id, contact_id, kind, created_at) SELECT gen_random_uuid(), contact_id, CASE source WHEN 'booking' THEN 'call_booked' ELSE 'converted' END,
  created_at FROM consultations WHERE contact_id IS NOT NULL;

-- Filters under a name, of one person or for everyone.
CREATE TABLE lead_views (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL,
  name text NOT NULL,
  -- The parameters of the address.
  query text NOT NULL,
  is_shared boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT lead_views_name_key UNIQUE (user_id, name)
);
CREATE INDEX lead_views_shared ON lead_views (name) WHERE is_shared;

-- The columns that a person has chosen, in their order.
CREATE TABLE lead_columns (
  user_id uuid PRIMARY KEY,
  columns text[] NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now()
);

-- One person with two addresses. The rows that moved are listed, so that the merge can be undone for 30 days.
ALTER TABLE people ADD COLUMN merged_into uuid REFERENCES people (id) ON DELETE SET NULL;
CREATE INDEX people_merged ON people (merged_into) WHERE merged_into IS NOT NULL;
CREATE TABLE person_merges (
  id uuid PRIMARY KEY,
  person_id uuid NOT NULL REFERENCES people (id) ON DELETE CASCADE,
  into_id uuid NOT NULL REFERENCES people (id) ON DELETE CASCADE,
  contact_ids uuid[] NOT NULL DEFAULT '{}',
  consultation_ids uuid[] NOT NULL DEFAULT '{}',
  booking_ids uuid[] NOT NULL DEFAULT '{}',
  -- People who had been merged into this one before.
  person_ids uuid[] NOT NULL DEFAULT '{}',
  actor_id uuid,
  undone_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX person_merges_person ON person_merges (person_id) WHERE undone_at IS NULL;
CREATE INDEX person_merges_into ON person_merges (into_id) WHERE undone_at IS NULL
