-- The table of leads is also sorted by stage and by owner.
CREATE INDEX leads_within_stage ON leads (stage_id, contact_id) WHERE is_listed;
DROP INDEX leads_owner;
CREATE INDEX leads_by_owner ON leads (owner_id, contact_id) WHERE is_listed;
-- Few leads are in these, and both are often asked for.
CREATE INDEX leads_unanswered ON leads (created_at) WHERE is_listed AND NOT is_answered;
CREATE INDEX leads_starred ON leads (created_at) WHERE is_listed AND is_starred
