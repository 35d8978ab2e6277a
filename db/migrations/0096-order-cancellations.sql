-- An invoiced order above the limit of the settings is cancelled by two people: one asks, another one approves.
ALTER TABLE orders ADD COLUMN cancel_asked_by uuid;
ALTER TABLE orders ADD COLUMN cancel_reason text NOT NULL DEFAULT '';
