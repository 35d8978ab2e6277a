-- The reasons that staff choose from when a lead is lost, in their order. A lead keeps the text.
CREATE TABLE lead_lost_reasons (
  position integer PRIMARY KEY,
  name text NOT NULL UNIQUE CHECK (name <> '')
);
INSERT INTO lead_lost_reasons (position, name) VALUES
  (1, 'Price'), (2, 'No budget'), (3, 'No reply'), (4, 'Chose someone else'), (5, 'Not feasible'), (6, 'Not a fit');
CREATE INDEX leads_by_lost_reason ON leads ((lower(lost_reason) COLLATE "C"), contact_id) WHERE is_listed AND lost_reason IS NOT NULL;
