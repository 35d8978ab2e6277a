-- A line of a bank statement that pays a refund back.
ALTER TABLE bank_lines ADD COLUMN refund_id uuid REFERENCES refunds (id) ON DELETE SET NULL;
CREATE UNIQUE INDEX bank_lines_refund ON bank_lines (refund_id);
