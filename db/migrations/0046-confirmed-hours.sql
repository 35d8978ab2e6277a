-- When a host confirmed hours and zone. Without it, visitors are offered no times of this host.
ALTER TABLE booking_hosts ADD COLUMN confirmed_at timestamptz;

-- Saved hours count as confirmed.
UPDATE booking_hosts SET confirmed_at = updated_at;

-- Owners who took calls with the default hours, in the zone of the server: the code knows which these are.
INSERT INTO jobs (id, kind, payload)
  SELECT gen_random_uuid(), 'bookings.confirm-hosts', '{}' WHERE EXISTS (SELECT FROM accounts WHERE role = 'owner');
