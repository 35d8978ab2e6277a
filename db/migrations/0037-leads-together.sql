-- Whole statements: enquiries that are stored together get their leads together.
CREATE OR REPLACE FUNCTION add_leads() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO leads (contact_id, is_listed, is_answered, is_withdrawn, country, service_type, form, created_at, stage_since)
    SELECT id, quarantined_at IS NULL AND deleted_at IS NULL, answered_at IS NOT NULL, withdrawn_at IS NOT NULL,
      country, service_type, form, created_at, created_at FROM fresh; RETURN NULL; END $$;
CREATE TRIGGER contacts_add_leads AFTER INSERT ON contacts REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION add_leads();
DROP TRIGGER contacts_keep_lead ON contacts;
CREATE TRIGGER contacts_keep_lead
  AFTER UPDATE OF quarantined_at, deleted_at, answered_at, withdrawn_at, country, service_type, form, created_at
  ON contacts FOR EACH ROW EXECUTE FUNCTION keep_lead();
