-- A refund or a cancellation that waits for a second person is a task, until it is decided. Its asker cannot approve it.
ALTER TABLE billing_tasks ADD COLUMN asked_by uuid;
ALTER TABLE billing_tasks DROP CONSTRAINT billing_tasks_kind_check;
ALTER TABLE billing_tasks ADD CONSTRAINT billing_tasks_kind_check CHECK (kind IN
  ('difference', 'refund_failed', 'late_payment', 'double_subscription', 'dispute', 'withdrawal', 'refund_asked', 'cancel_asked'));

-- Those that wait already.
INSERT INTO billing_tasks (id, kind, about, title, theirs, order_id, payment_id, is_test, asked_by, created_at)
SELECT gen_random_uuid(), 'refund_asked', 'refund_asked:' || refunds.id, 'A refund' || coalesce(' of ' || orders.reference, '') || ' needs a second person',
  refunds.reason, refunds.order_id, refunds.payment_id, payments.is_test, refunds.asked_by, refunds.created_at
FROM refunds JOIN payments ON payments.id = refunds.payment_id LEFT JOIN orders ON orders.id = refunds.order_id WHERE refunds.state = 'asked';
INSERT INTO billing_tasks (id, kind, about, title, theirs, order_id, is_test, asked_by, created_at)
SELECT gen_random_uuid(), 'cancel_asked', 'cancel_asked:' || id, 'Cancelling ' || reference || ' needs a second person',
  cancel_reason, id, is_test, cancel_asked_by, updated_at
FROM orders WHERE cancel_asked_by IS NOT NULL AND state = 'open';
