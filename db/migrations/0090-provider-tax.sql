-- The tax of what is paid on the page of the payment provider can be the provider's: it is known with the payment.
ALTER TABLE orders ADD COLUMN tax_by text NOT NULL DEFAULT 'table' CHECK (tax_by IN ('table', 'provider'));
-- As the provider computed it: amount, category, rate, place and tax number. Null until then.
ALTER TABLE orders ADD COLUMN provider_tax jsonb;
ALTER TABLE subscriptions ADD COLUMN tax_by text NOT NULL DEFAULT 'table' CHECK (tax_by IN ('table', 'provider'));
