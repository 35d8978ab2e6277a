-- A decided dataset request has been answered by email, and no proposal follows: its lead waits for nothing.
UPDATE contacts SET answered_at = coalesce(answered_at, settled_at), proposal = coalesce(proposal, 'not_needed'),
    proposal_settled_at = coalesce(proposal_settled_at, settled_at)
  FROM product_requests WHERE contact_id = contacts.id AND settled_at IS NOT NULL AND (answered_at IS NULL OR proposal IS NULL);
