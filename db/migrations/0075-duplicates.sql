-- Two people that someone has looked at: they are not the same. The smaller id is first.
CREATE TABLE different_people (
  one_id uuid NOT NULL REFERENCES people (id) ON DELETE CASCADE,
  other_id uuid NOT NULL REFERENCES people (id) ON DELETE CASCADE,
  actor_id uuid,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (one_id, other_id),
  CHECK (one_id < other_id)
);
CREATE INDEX different_people_other ON different_people (other_id);
-- By what two people can be the same: an address without its tag, the last nine digits of a phone number, a name with a company.
CREATE INDEX people_plain_address ON people ((lower(regexp_replace(email::text, '\+[^@]*', '')))) WHERE merged_into IS NULL;
CREATE INDEX leads_phone_digits ON leads ((right(regexp_replace(phone, '\D', '', 'g'), 9))) WHERE is_listed AND phone IS NOT NULL;
CREATE INDEX contacts_name_company ON contacts ((lower(name)), (lower(company)))
  WHERE company IS NOT NULL AND quarantined_at IS NULL AND deleted_at IS NULL;
