-- The visitor's own page of an enquiry, and clocks that run in elapsed or in business hours.

ALTER TABLE contacts ADD COLUMN withdrawn_at timestamptz;

-- The address of the page is made from the version: a new version makes the old address wrong. Revoked, no address works.
ALTER TABLE leads ADD COLUMN page_version integer NOT NULL DEFAULT 1;
ALTER TABLE leads ADD COLUMN page_revoked_at timestamptz;

-- The promised hours, as the content of the site states them. Each start compares them.
CREATE TABLE service_promises (
  clock text PRIMARY KEY CHECK (clock IN ('acknowledgement', 'response', 'proposal')),
  hours integer NOT NULL CHECK (hours > 0)
);
INSERT INTO service_promises (clock, hours) VALUES ('acknowledgement', 2), ('response', 24), ('proposal', 24);

-- The business hours of the settings as instants, so that no query needs to know weekdays, holidays and clock changes. None: elapsed hours.
CREATE TABLE service_spans (
  opens_at timestamptz PRIMARY KEY,
  closes_at timestamptz NOT NULL,
  -- The open seconds of all spans until this one closes.
  open_after bigint NOT NULL CONSTRAINT service_spans_open_key UNIQUE,
  CONSTRAINT service_spans_order CHECK (closes_at > opens_at)
);

-- The instant at which a promise is broken: so many hours after `since`, counted as the settings say.
CREATE OR REPLACE FUNCTION breach_instant_of(since timestamptz, hours integer) RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT coalesce(
    (SELECT closes_at - make_interval(secs => (open_after - seconds)::float8)
      FROM (SELECT open_after - greatest(0, extract(epoch FROM closes_at - since)) + hours * 3600 AS seconds
          FROM service_spans WHERE opens_at <= since ORDER BY opens_at DESC LIMIT 1) AS used
        CROSS JOIN LATERAL (SELECT closes_at, open_after FROM service_spans WHERE open_after >= ceil(used.seconds)::bigint
          ORDER BY open_after LIMIT 1) AS last),
    since + make_interval(hours => hours)) $$;

-- One row for each promise of an enquiry. Triggers of `contacts` add and end them, so no form, import, seed or test can forget it.
CREATE TABLE lead_clocks (
  contact_id uuid NOT NULL REFERENCES contacts (id) ON DELETE CASCADE,
  clock text NOT NULL CHECK (clock IN ('acknowledgement', 'response', 'proposal')),
  since timestamptz NOT NULL,
  due_at timestamptz NOT NULL,
  ended_at timestamptz,
  -- Void: in quarantine, deleted or withdrawn.
  state text NOT NULL CHECK (state IN ('running', 'ended', 'void')),
  -- When staff were told: before the breach, and of it. A clock that begins late tells nobody.
  warned_at timestamptz,
  breach_told_at timestamptz,
  PRIMARY KEY (contact_id, clock)
);
CREATE INDEX lead_clocks_running ON lead_clocks (clock, due_at) WHERE state = 'running';
CREATE INDEX lead_clocks_untold ON lead_clocks (due_at) WHERE state = 'running' AND breach_told_at IS NULL;
CREATE INDEX lead_clocks_since ON lead_clocks (since);

-- Imported enquiries were promised nothing. Whole statements, so that a bulk change stays quick. With the lock, a change of the business
-- hours waits for open transactions, and finds their clocks.
CREATE OR REPLACE FUNCTION add_clocks() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  PERFORM pg_advisory_xact_lock_shared(731); INSERT INTO lead_clocks (contact_id, clock, since, due_at, ended_at, state, warned_at, breach_told_at)
    SELECT id, clock, promised_from, due, ended,
      CASE WHEN quarantined_at IS NOT NULL OR deleted_at IS NOT NULL THEN 'void' WHEN ended IS NOT NULL THEN 'ended'
        WHEN withdrawn_at IS NOT NULL THEN 'void' ELSE 'running' END,
      CASE WHEN due - interval '15 minutes' <= now() THEN now() END, CASE WHEN due <= now() THEN now() END
    FROM (SELECT fresh.*, clock, breach_instant_of(promised_from, hours) AS due,
      CASE clock WHEN 'proposal' THEN proposal_settled_at ELSE answered_at END AS ended
      FROM fresh CROSS JOIN service_promises WHERE form <> 'import') AS promise; RETURN NULL; END $$;
CREATE OR REPLACE FUNCTION change_clocks() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  PERFORM pg_advisory_xact_lock_shared(731); UPDATE lead_clocks AS kept SET ended_at = changed.ended, since = changed.promised_from,
      state = CASE WHEN quarantined_at IS NOT NULL OR deleted_at IS NOT NULL THEN 'void' WHEN ended IS NOT NULL THEN 'ended'
        WHEN withdrawn_at IS NOT NULL THEN 'void' ELSE 'running' END,
      due_at = coalesce(due, kept.due_at),
      warned_at = CASE WHEN due IS NULL THEN kept.warned_at WHEN due - interval '15 minutes' <= now() THEN now() END,
      breach_told_at = CASE WHEN due IS NULL THEN kept.breach_told_at WHEN due <= now() THEN now() END
    FROM (SELECT fresh.*, clock, CASE WHEN fresh.promised_from <> former.promised_from THEN breach_instant_of(fresh.promised_from, hours) END AS due,
      CASE clock WHEN 'proposal' THEN fresh.proposal_settled_at ELSE fresh.answered_at END AS ended
      FROM fresh JOIN former ON former.id = fresh.id CROSS JOIN service_promises
      WHERE (fresh.quarantined_at, fresh.deleted_at, fresh.answered_at, fresh.proposal_settled_at, fresh.withdrawn_at, fresh.promised_from)
        IS DISTINCT FROM (former.quarantined_at, former.deleted_at, former.answered_at, former.proposal_settled_at, former.withdrawn_at,
          former.promised_from)) AS changed
    WHERE kept.contact_id = changed.id AND kept.clock = changed.clock; RETURN NULL; END $$;
CREATE TRIGGER contacts_add_clocks AFTER INSERT ON contacts REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION add_clocks();
CREATE TRIGGER contacts_change_clocks AFTER UPDATE ON contacts REFERENCING OLD TABLE AS former NEW TABLE AS fresh
  FOR EACH STATEMENT EXECUTE FUNCTION change_clocks();

INSERT INTO lead_clocks (contact_id, clock, since, due_at, ended_at, state, warned_at, breach_told_at)
  SELECT c.id, p.clock, c.promised_from, d.due, e.ended,
    CASE WHEN c.quarantined_at IS NOT NULL OR c.deleted_at IS NOT NULL THEN 'void' WHEN e.ended IS NOT NULL THEN 'ended' ELSE 'running' END,
    CASE WHEN d.due - interval '15 minutes' <= now() THEN now() END, CASE WHEN d.due <= now() THEN now() END
  FROM contacts c CROSS JOIN service_promises p
    CROSS JOIN LATERAL (SELECT c.promised_from + make_interval(hours => p.hours)) AS d (due)
    CROSS JOIN LATERAL (SELECT CASE p.clock WHEN 'proposal' THEN c.proposal_settled_at ELSE c.answered_at END) AS e (ended)
  WHERE c.form <> 'import';
