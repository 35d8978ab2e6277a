-- Whether the guest was sent the email about the latest change of a call. The budget of emails can withhold it.
ALTER TABLE bookings ADD COLUMN guest_emailed boolean NOT NULL DEFAULT true;
