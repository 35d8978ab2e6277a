-- A session that began in a browser on our own pages, or was renewed there. Sensitive changes in it need a recent sign-in.
ALTER TABLE sessions ADD COLUMN own_pages boolean NOT NULL DEFAULT false;

-- The time at which an account got staff rights, from any source. The deadline for two-factor authentication counts from here.
ALTER TABLE users ADD COLUMN staff_since timestamptz;
ALTER TABLE hosted_accounts ADD COLUMN staff_since timestamptz;
UPDATE users SET staff_since = now() WHERE app_metadata->>'role' IN ('staff', 'owner');
UPDATE hosted_accounts SET staff_since = now() WHERE role IN ('staff', 'owner');

CREATE OR REPLACE FUNCTION set_staff_since() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  NEW.staff_since := CASE WHEN NEW.app_metadata->>'role' IN ('staff', 'owner') THEN coalesce(NEW.staff_since, now()) END; RETURN NEW; END $$;
CREATE TRIGGER users_staff_since BEFORE INSERT OR UPDATE OF app_metadata ON users FOR EACH ROW EXECUTE FUNCTION set_staff_since();

CREATE OR REPLACE FUNCTION set_hosted_staff_since() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  NEW.staff_since := CASE WHEN NEW.role IN ('staff', 'owner') THEN coalesce(NEW.staff_since, now()) END; RETURN NEW; END $$;
CREATE TRIGGER hosted_accounts_staff_since BEFORE INSERT OR UPDATE OF role ON hosted_accounts
  FOR EACH ROW EXECUTE FUNCTION set_hosted_staff_since();

-- The audit log only grows. A transaction that removes old events, or the addresses of a deleted person, declares it first.
CREATE OR REPLACE FUNCTION guard_audit_events() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF TG_OP = 'DELETE' AND current_setting('winnow.audit_change', true) IN ('retention', 'erasure') THEN RETURN OLD; END IF; IF TG_OP = 'UPDATE'
    AND current_setting('winnow.audit_change', true) = 'erasure' AND NEW.address IS NULL
    AND (to_jsonb(NEW) - 'address') = (to_jsonb(OLD) - 'address') THEN RETURN NEW; END IF; RAISE EXCEPTION 'The audit log cannot be changed.'; END $$;
CREATE TRIGGER audit_events_guard BEFORE UPDATE OR DELETE ON audit_events FOR EACH ROW EXECUTE FUNCTION guard_audit_events();
CREATE TRIGGER audit_events_guard_all BEFORE TRUNCATE ON audit_events FOR EACH STATEMENT EXECUTE FUNCTION guard_audit_events();
