-- Access that a full refund or a lost dispute revoked is given back when the refund fails. Access that staff revoked is not.
ALTER TABLE entitlements ADD COLUMN revoked_by_payment boolean NOT NULL DEFAULT false;
UPDATE entitlements SET revoked_by_payment = true
WHERE order_id IS NOT NULL AND subscription_id IS NULL AND (
  EXISTS (SELECT FROM refunds WHERE refunds.order_id = entitlements.order_id AND refunds.state = 'succeeded' AND refunds.updated_at = revoked_at)
  OR EXISTS (SELECT FROM disputes WHERE disputes.order_id = entitlements.order_id AND disputes.state = 'lost' AND disputes.updated_at = revoked_at)
);
