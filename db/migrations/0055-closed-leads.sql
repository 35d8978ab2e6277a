-- A lead in a stage that is won or lost owes no reply: its clocks are void, as those of a withdrawn one, and run again when it is reopened.
CREATE OR REPLACE FUNCTION is_closed(lead uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT 1 FROM leads JOIN lead_stages ON lead_stages.id = leads.stage_id WHERE leads.contact_id = lead AND outcome <> 'open') $$;

CREATE OR REPLACE FUNCTION change_clocks() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  PERFORM pg_advisory_xact_lock_shared(731); UPDATE lead_clocks AS kept SET ended_at = changed.ended, since = changed.promised_from,
      state = CASE WHEN quarantined_at IS NOT NULL OR deleted_at IS NOT NULL THEN 'void' WHEN ended IS NOT NULL THEN 'ended'
        WHEN withdrawn_at IS NOT NULL OR is_closed(changed.id) THEN 'void' ELSE 'running' END,
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

-- Reopened late, a clock tells nobody of a moment that has passed.
CREATE OR REPLACE FUNCTION close_clocks() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  UPDATE lead_clocks SET state = CASE outcome WHEN 'open' THEN 'running' ELSE 'void' END,
      warned_at = CASE WHEN outcome = 'open' AND due_at - interval '15 minutes' <= now() THEN coalesce(warned_at, now()) ELSE warned_at END,
      breach_told_at = CASE WHEN outcome = 'open' AND due_at <= now() THEN coalesce(breach_told_at, now()) ELSE breach_told_at END
    FROM fresh JOIN former ON former.contact_id = fresh.contact_id JOIN lead_stages AS stage ON stage.id = fresh.stage_id
    WHERE fresh.stage_id <> former.stage_id AND fresh.is_listed AND NOT fresh.is_withdrawn
      AND lead_clocks.contact_id = fresh.contact_id AND state = CASE outcome WHEN 'open' THEN 'void' ELSE 'running' END; RETURN NULL; END $$;
CREATE TRIGGER leads_close_clocks AFTER UPDATE ON leads REFERENCING OLD TABLE AS former NEW TABLE AS fresh
  FOR EACH STATEMENT EXECUTE FUNCTION close_clocks();

UPDATE lead_clocks SET state = 'void' WHERE state = 'running' AND is_closed(contact_id);
