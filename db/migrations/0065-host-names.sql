-- A host without a name of their own is called what the account or the business is called at the time.
ALTER TABLE booking_hosts ALTER COLUMN name DROP NOT NULL;
-- Earlier versions stored the name that the business had.
UPDATE booking_hosts SET name = NULL
  WHERE name = 'Winnow' OR name IN (SELECT value ->> 'name' FROM site_setting_revisions WHERE section = 'identity');
