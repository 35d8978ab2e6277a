-- Of someone who called, only a phone number or a company may be known. Such a person has no address, and the email of their leads is empty.
ALTER TABLE people ALTER COLUMN email DROP NOT NULL;
