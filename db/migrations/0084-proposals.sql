-- Proposals: each row is one version. What was sent never changes.

CREATE TABLE proposals (
  id uuid PRIMARY KEY,
  -- The same for all versions of a proposal.
  reference text NOT NULL,
  number integer NOT NULL DEFAULT 1 CHECK (number > 0),
  -- Null once the lead is erased: what was accepted has to be kept.
  contact_id uuid REFERENCES contacts (id) ON DELETE SET NULL,
  -- The buyer, from the acceptance on.
  organization_id uuid REFERENCES organizations (id),
  state text NOT NULL DEFAULT 'draft' CHECK (state IN ('draft', 'sent', 'accepted', 'declined', 'expired', 'withdrawn', 'replaced')),
  -- Lines, dates, terms and deposit, as proposal.ts describes them.
  content jsonb NOT NULL,
  -- SHA-256 of the content, in hex, once it is sent.
  content_hash text,
  sent_at timestamptz,
  sent_by uuid,
  sent_to text,
  opened_at timestamptz,
  valid_until timestamptz NOT NULL,
  reminders integer NOT NULL DEFAULT 0,
  settled_at timestamptz,
  -- Why it was declined or withdrawn.
  reason text NOT NULL DEFAULT '',
  -- The code that proves an address, and what is being accepted with it.
  code_mac bytea,
  code_sent_to text,
  code_sent_at timestamptz,
  code_tries integer NOT NULL DEFAULT 0,
  -- The exact text that was signed as JSON, its SHA-256 in hex, and who signed from where, sealed.
  signed_document text,
  signed_hash text,
  evidence_sealed bytea,
  signed_by uuid,
  countersigned_at timestamptz,
  countersigned_by uuid,
  countersigned_name text NOT NULL DEFAULT '',
  started_at timestamptz,
  started_by uuid,
  -- Why staff began before the deposit was paid.
  start_reason text NOT NULL DEFAULT '',
  version integer NOT NULL DEFAULT 0,
  created_by uuid,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CHECK ((state = 'accepted') = (signed_document IS NOT NULL)),
  CHECK ((signed_document IS NULL) = (signed_hash IS NULL))
);
CREATE UNIQUE INDEX proposals_version ON proposals (reference, number);
CREATE UNIQUE INDEX proposals_one_draft ON proposals (contact_id) WHERE state = 'draft';
CREATE UNIQUE INDEX proposals_one_sent ON proposals (contact_id) WHERE state = 'sent';
CREATE INDEX proposals_contact ON proposals (contact_id, created_at DESC);
CREATE INDEX proposals_organization ON proposals (organization_id, created_at DESC);
CREATE INDEX proposals_newest ON proposals (created_at DESC, id DESC);
CREATE INDEX proposals_waiting ON proposals (valid_until) WHERE state = 'sent';

CREATE OR REPLACE FUNCTION keep_proposal() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF OLD.state <> 'draft' AND (NEW.content <> OLD.content OR NEW.content_hash <> OLD.content_hash OR NEW.reference <> OLD.reference
    OR NEW.number <> OLD.number OR NEW.valid_until <> OLD.valid_until OR NEW.state = 'draft')
  THEN RAISE EXCEPTION 'A sent proposal never changes.'; END IF; IF OLD.state = 'accepted' AND (NEW.state <> OLD.state
    OR NEW.signed_document <> OLD.signed_document OR NEW.signed_hash <> OLD.signed_hash)
  THEN RAISE EXCEPTION 'An accepted proposal never changes.'; END IF; RETURN NEW; END $$;
CREATE TRIGGER proposals_kept BEFORE UPDATE ON proposals FOR EACH ROW EXECUTE FUNCTION keep_proposal();

-- With a lead, its proposals are erased, except for contracts.
CREATE OR REPLACE FUNCTION take_proposals() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  DELETE FROM proposals WHERE contact_id = OLD.id AND state <> 'accepted'; RETURN OLD; END $$;
CREATE TRIGGER contacts_take_proposals BEFORE DELETE ON contacts FOR EACH ROW EXECUTE FUNCTION take_proposals();

CREATE TABLE proposal_questions (
  id uuid PRIMARY KEY,
  proposal_id uuid NOT NULL REFERENCES proposals (id) ON DELETE CASCADE,
  -- The line that it is about; empty: the whole.
  line_id text NOT NULL DEFAULT '',
  question text NOT NULL,
  answer text NOT NULL DEFAULT '',
  answered_at timestamptz,
  answered_by uuid,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX proposal_questions_proposal ON proposal_questions (proposal_id, created_at);

-- The signed files, which anyone can check at /verify.
CREATE TABLE proposal_files (
  id uuid PRIMARY KEY,
  proposal_id uuid NOT NULL REFERENCES proposals (id) ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('accepted', 'countersigned')),
  -- SHA-256 of the file in hex, and our detached signature of it.
  hash text NOT NULL UNIQUE,
  jws text NOT NULL,
  stored_as text NOT NULL,
  size integer NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX proposal_files_kind ON proposal_files (proposal_id, kind);
