-- The table of leads is also sorted by stage and by owner. Leads without an owner have the null UUID there, so that one index finds both.
CREATE INDEX leads_within_stage ON leads (stage_id, contact_id) WHERE is_listed;
DROP INDEX leads_owner;
CREATE INDEX leads_by_owner ON leads ((coalesce(owner_id, '00000000-0000-0000-0000-000000000000'::uuid)), contact_id) WHERE is_listed
