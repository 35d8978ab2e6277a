-- Readers who asked for new posts by email. They get them once their address is confirmed, until they unsubscribe or it bounces.
CREATE TABLE newsletter_subscribers (
  id uuid PRIMARY KEY,
  email citext NOT NULL UNIQUE,
  -- The form: with the times, the proof of consent.
  source text NOT NULL CHECK (source IN ('blog', 'post', 'page')),
  asked_at timestamptz NOT NULL DEFAULT now(),
  confirmed_at timestamptz,
  unsubscribed_at timestamptz,
  bounced_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX newsletter_subscribers_active ON newsletter_subscribers (id)
  WHERE confirmed_at IS NOT NULL AND unsubscribed_at IS NULL AND bounced_at IS NULL;

-- A post is sent once.
CREATE TABLE newsletter_issues (
  id uuid PRIMARY KEY,
  post_id uuid NOT NULL UNIQUE REFERENCES posts (id) ON DELETE CASCADE,
  sent_by uuid NOT NULL,
  -- An estimate until every email is queued.
  recipients integer NOT NULL,
  queued_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now()
);

-- One email of an issue. It outlives its subscriber, without saying who it was for.
CREATE TABLE newsletter_deliveries (
  id uuid PRIMARY KEY,
  issue_id uuid NOT NULL REFERENCES newsletter_issues (id) ON DELETE CASCADE,
  subscriber_id uuid REFERENCES newsletter_subscribers (id) ON DELETE SET NULL,
  -- `skipped`: the person had unsubscribed, or the post was no longer public. NULL: waiting.
  outcome text CHECK (outcome IN ('sent', 'bounced', 'skipped', 'failed')),
  settled_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT newsletter_deliveries_once UNIQUE (issue_id, subscriber_id),
  CONSTRAINT newsletter_deliveries_settled CHECK ((outcome IS NULL) = (settled_at IS NULL))
);
CREATE INDEX newsletter_deliveries_subscriber ON newsletter_deliveries (subscriber_id);
