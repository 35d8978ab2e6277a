-- Where an enquiry, a booking, an account or a subscription came from: page, host of the page before, campaign and form. Null where nobody said.
ALTER TABLE contacts ADD COLUMN came_from jsonb;
ALTER TABLE bookings ADD COLUMN came_from jsonb;
ALTER TABLE users ADD COLUMN came_from jsonb;
ALTER TABLE newsletter_subscribers ADD COLUMN came_from jsonb;
