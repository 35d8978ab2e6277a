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
CREATE FUNCTION breach_instant_of(since timestamptz, hours integer) RETURNS timestamptz LANGUAGE sql STABLE AS $$
  WITH used AS (SELECT open_after - greatest(0, extract(epoch FROM closes_at - since)) + hours * 3600 AS seconds
      FROM service_spans WHERE opens_at <= since ORDER BY opens_at DESC LIMIT 1),
    due AS (SELECT closes_at - make_interval(secs => (open_after - seconds)::float8) AS instant
      FROM used JOIN service_spans ON open_after >= ceil(seconds)::bigint ORDER BY open_after LIMIT 1)
  SELECT coalesce((SELECT instant FROM due), since + make_interval(hours => hours)) $$;

-- One row for each promise of an enquiry. A trigger of `contacts` adds and ends them, so no form, import, seed or test can forget it.
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

-- Imported enquiries were promised nothing. With the lock, a change of the business hours waits for open transactions, and finds their clocks.
CREATE FUNCTION keep_clocks() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF NEW.form = 'import' THEN RETURN NULL; END IF; PERFORM pg_advisory_xact_lock_shared(731); INSERT INTO lead_clocks AS kept
      (contact_id, clock, since, due_at, ended_at, state, warned_at, breach_told_at)
    SELECT NEW.id, clock, NEW.promised_from, due, ended,
      CASE WHEN NEW.quarantined_at IS NOT NULL OR NEW.deleted_at IS NOT NULL THEN 'void' WHEN ended IS NOT NULL THEN 'ended'
        WHEN NEW.withdrawn_at IS NOT NULL THEN 'void' ELSE 'running' END,
      CASE WHEN due - interval '15 minutes' <= now() THEN now() END, CASE WHEN due <= now() THEN now() END
    FROM (SELECT clock, breach_instant_of(NEW.promised_from, hours) AS due,
      CASE clock WHEN 'proposal' THEN NEW.proposal_settled_at ELSE NEW.answered_at END AS ended FROM service_promises) AS promise
    ON CONFLICT (contact_id, clock) DO UPDATE SET ended_at = excluded.ended_at, state = excluded.state, since = excluded.since,
      due_at = CASE WHEN kept.since = excluded.since THEN kept.due_at ELSE excluded.due_at END,
      warned_at = CASE WHEN kept.since = excluded.since THEN kept.warned_at ELSE excluded.warned_at END,
      breach_told_at = CASE WHEN kept.since = excluded.since THEN kept.breach_told_at ELSE excluded.breach_told_at END; RETURN NULL; END $$;
CREATE TRIGGER contacts_keep_clocks
  AFTER INSERT OR UPDATE OF quarantined_at, released_at, deleted_at, answered_at, proposal_settled_at, withdrawn_at, created_at
  ON contacts FOR EACH ROW EXECUTE FUNCTION keep_clocks();

INSERT INTO lead_clocks (contact_id, clock, since, due_at, ended_at, state, warned_at, breach_told_at)
  SELECT c.id, p.clock, c.promised_from, d.due, e.ended,
    CASE WHEN c.quarantined_at IS NOT NULL OR c.deleted_at IS NOT NULL THEN 'void' WHEN e.ended IS NOT NULL THEN 'ended' ELSE 'running' END,
    CASE WHEN d.due - interval '15 minutes' <= now() THEN now() END, CASE WHEN d.due <= now() THEN now() END
  FROM contacts c CROSS JOIN service_promises p
    CROSS JOIN LATERAL (SELECT c.promised_from + make_interval(hours => p.hours)) AS d (due)
    CROSS JOIN LATERAL (SELECT CASE p.clock WHEN 'proposal' THEN c.proposal_settled_at ELSE c.answered_at END) AS e (ended)
  WHERE c.form <> 'import';
