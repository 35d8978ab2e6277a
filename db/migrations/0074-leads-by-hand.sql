-- Staff add leads by hand. Such a lead is promised nothing, unless its person gets the acknowledgement: then nobody has answered it yet.
ALTER TABLE contacts DROP CONSTRAINT contacts_form_check;
ALTER TABLE contacts ADD CONSTRAINT contacts_form_check CHECK (form IN ('home', 'contact', 'landing', 'hire', 'import', 'staff'));
CREATE OR REPLACE FUNCTION add_clocks() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  PERFORM pg_advisory_xact_lock_shared(731); INSERT INTO lead_clocks (contact_id, clock, since, due_at, ended_at, state, warned_at, breach_told_at)
    SELECT id, clock, promised_from, due, ended,
      CASE WHEN quarantined_at IS NOT NULL OR deleted_at IS NOT NULL THEN 'void' WHEN ended IS NOT NULL THEN 'ended'
        WHEN withdrawn_at IS NOT NULL THEN 'void' ELSE 'running' END,
      CASE WHEN due - interval '15 minutes' <= now() THEN now() END, CASE WHEN due <= now() THEN now() END
    FROM (SELECT fresh.*, clock, breach_instant_of(promised_from, hours) AS due,
      CASE clock WHEN 'proposal' THEN proposal_settled_at ELSE answered_at END AS ended
      FROM fresh CROSS JOIN service_promises
      WHERE form <> 'import' AND (form <> 'staff' OR answered_at IS NULL)) AS promise; RETURN NULL; END $$;
-- The next steps of an owner are among their tasks.
CREATE INDEX leads_steps ON leads (owner_id, next_step_at) WHERE is_listed AND (next_step IS NOT NULL OR next_step_at IS NOT NULL);
