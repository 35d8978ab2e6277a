-- Keys that all processes of the installation share. The one called `root` is sealed by MASTER_KEY or the key file; it seals the others.
CREATE TABLE secrets (
  name text PRIMARY KEY,
  sealed bytea NOT NULL,
  changed_at timestamptz NOT NULL DEFAULT now()
);
