-- What an access token says its holder is to other programs: an administrator may set it. Our own roles are in `app_metadata`.
ALTER TABLE users ADD COLUMN token_role text NOT NULL DEFAULT 'authenticated';

-- Someone whom the hosted service has deleted stays known until the last token that names them has run out.
ALTER TABLE hosted_accounts ADD COLUMN deleted_at timestamptz;
CREATE INDEX hosted_accounts_newest ON hosted_accounts (created_at DESC, id DESC);
