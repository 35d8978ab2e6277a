-- What the owner has saved over the content of the files. A missing section, or a null value, has the defaults.
CREATE TABLE site_settings (
  section text PRIMARY KEY,
  value jsonb,
  -- Of the newest revision; 0 before the first.
  version integer NOT NULL DEFAULT 0,
  -- For previews. A save removes it.
  draft jsonb,
  updated_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE site_setting_revisions (
  section text NOT NULL REFERENCES site_settings (section),
  version integer NOT NULL,
  value jsonb,
  editor_id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (section, version)
);

-- Logo and portrait: re-encoded, small, named by the hash of their content.
CREATE TABLE site_files (
  name text PRIMARY KEY,
  bytes bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
