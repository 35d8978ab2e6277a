-- When the members of an organization first read data of this grant on the site: by a query, or by a further page of its rows.
ALTER TABLE entitlements ADD COLUMN read_at timestamptz;
