-- The desk leaves withdrawn enquiries out of those that wait for an answer.
ALTER TABLE leads ADD COLUMN is_withdrawn boolean NOT NULL DEFAULT false;
UPDATE leads SET is_withdrawn = true FROM contacts WHERE contacts.id = contact_id AND withdrawn_at IS NOT NULL;
DROP INDEX leads_unanswered;
CREATE INDEX leads_unanswered ON leads (created_at) WHERE is_listed AND NOT is_answered AND NOT is_withdrawn;

CREATE OR REPLACE FUNCTION keep_lead() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO leads (contact_id, is_listed, is_answered, is_withdrawn, country, service_type, form, created_at, stage_since)
    VALUES (NEW.id, NEW.quarantined_at IS NULL AND NEW.deleted_at IS NULL, NEW.answered_at IS NOT NULL, NEW.withdrawn_at IS NOT NULL,
      NEW.country, NEW.service_type, NEW.form, NEW.created_at, NEW.created_at)
    ON CONFLICT (contact_id) DO UPDATE SET is_listed = excluded.is_listed, is_answered = excluded.is_answered,
      is_withdrawn = excluded.is_withdrawn, country = excluded.country, service_type = excluded.service_type, form = excluded.form,
      created_at = excluded.created_at; RETURN NULL; END $$;
DROP TRIGGER contacts_keep_lead ON contacts;
CREATE TRIGGER contacts_keep_lead
  AFTER INSERT OR UPDATE OF quarantined_at, deleted_at, answered_at, withdrawn_at, country, service_type, form, created_at
  ON contacts FOR EACH ROW EXECUTE FUNCTION keep_lead();

-- A bulk change has just written the rows of `leads`: the check of a reference to `contacts` would lock and write as many wide rows as well.
ALTER TABLE lead_events DROP CONSTRAINT lead_events_contact_id_fkey;
ALTER TABLE lead_events ADD CONSTRAINT lead_events_contact_id_fkey FOREIGN KEY (contact_id) REFERENCES leads (contact_id) ON DELETE CASCADE;
