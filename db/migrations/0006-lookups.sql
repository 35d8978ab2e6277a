-- What is looked for when a row goes that others refer to: without these, each sign-out and each factor or flow that is forgotten read whole tables.
CREATE INDEX mfa_challenges_session ON mfa_challenges (session_id);
CREATE INDEX sessions_factor ON sessions (factor_id) WHERE factor_id IS NOT NULL;
CREATE INDEX one_time_tokens_flow ON one_time_tokens (flow_id) WHERE flow_id IS NOT NULL;
CREATE INDEX flow_states_linking_user ON flow_states (linking_user_id) WHERE linking_user_id IS NOT NULL;

-- The few among the many: owners are asked for whenever an account goes and whenever a lead is written of, anonymous accounts each night.
CREATE INDEX users_owners ON users (created_at) WHERE app_metadata->>'role' = 'owner';
CREATE INDEX users_anonymous ON users (created_at) WHERE is_anonymous;
CREATE INDEX hosted_accounts_owners ON hosted_accounts (created_at) WHERE role = 'owner';

-- The letters to one address, for whoever takes their data away.
CREATE INDEX jobs_letters_to ON jobs ((lower(payload->>'to')), id) WHERE payload->>'to' IS NOT NULL;
