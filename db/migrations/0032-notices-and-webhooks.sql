-- Programs of other companies that are told of events, and how each person wants to be told.

CREATE TABLE webhook_endpoints (
  id uuid PRIMARY KEY,
  label text NOT NULL CHECK (label <> ''),
  -- `chat` is the one line that chat services accept.
  format text NOT NULL CHECK (format IN ('standard', 'chat')),
  -- The addresses of chat services are secrets themselves.
  url_sealed bytea NOT NULL,
  events text[] NOT NULL,
  secret_sealed bytea NOT NULL,
  -- After a rotation both secrets sign for a while.
  former_secret_sealed bytea,
  former_until timestamptz,
  disabled_at timestamptz,
  disabled_because text CHECK (disabled_because IN ('owner', 'failures')),
  -- The first of the failures since the last success.
  failing_since timestamptz,
  last_failure_at timestamptz,
  last_success_at timestamptz,
  created_by uuid,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT webhook_endpoints_disabled CHECK ((disabled_at IS NULL) = (disabled_because IS NULL))
);

-- One event for one endpoint, kept for 30 days as its log.
CREATE TABLE webhook_deliveries (
  id uuid PRIMARY KEY,
  endpoint_id uuid NOT NULL REFERENCES webhook_endpoints (id) ON DELETE CASCADE,
  -- The id of the event, the same for every endpoint and every attempt.
  message_id uuid NOT NULL,
  event text NOT NULL,
  -- The bytes that are sent and signed.
  body text NOT NULL,
  -- The row that it is about. Erasing that person erases the delivery.
  subject_id uuid,
  state text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'delivered', 'failed')),
  -- A replay begins another round of attempts.
  round integer NOT NULL DEFAULT 1,
  attempts integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  settled_at timestamptz,
  CONSTRAINT webhook_deliveries_once UNIQUE (endpoint_id, message_id),
  CONSTRAINT webhook_deliveries_next CHECK ((state = 'pending') = (next_attempt_at IS NOT NULL))
);
CREATE INDEX webhook_deliveries_log ON webhook_deliveries (endpoint_id, id DESC);
CREATE INDEX webhook_deliveries_unsettled ON webhook_deliveries (endpoint_id, state, id) WHERE state <> 'delivered';
CREATE INDEX webhook_deliveries_subject ON webhook_deliveries (subject_id) WHERE subject_id IS NOT NULL;
CREATE INDEX webhook_deliveries_age ON webhook_deliveries (created_at);

CREATE TABLE webhook_attempts (
  id uuid PRIMARY KEY,
  delivery_id uuid NOT NULL REFERENCES webhook_deliveries (id) ON DELETE CASCADE,
  -- Missing without a response; then there is an error.
  status integer,
  error text,
  -- The first 4 kB of the response.
  response text NOT NULL DEFAULT '',
  ms integer NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT webhook_attempts_outcome CHECK (status IS NOT NULL OR error IS NOT NULL)
);
CREATE INDEX webhook_attempts_delivery ON webhook_attempts (delivery_id, id);

-- How a person wants to be told. Without a row, the defaults apply.
CREATE TABLE notification_preferences (
  user_id uuid PRIMARY KEY,
  -- By kind: the chosen channels. A missing kind has its default.
  channels jsonb NOT NULL DEFAULT '{}',
  zone text NOT NULL,
  digest_hour integer NOT NULL DEFAULT 8 CHECK (digest_hour BETWEEN 0 AND 23),
  -- Minutes since midnight; both or neither.
  quiet_from integer CHECK (quiet_from BETWEEN 0 AND 1439),
  quiet_until integer CHECK (quiet_until BETWEEN 0 AND 1439),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT notification_preferences_quiet CHECK ((quiet_from IS NULL) = (quiet_until IS NULL))
);

-- Notifications that leave by email or push, at once or later. `sent_at` is set in the transaction that enqueues the message.
CREATE TABLE notification_dispatches (
  notification_id uuid NOT NULL REFERENCES notifications (id) ON DELETE CASCADE,
  channel text NOT NULL CHECK (channel IN ('email', 'push')),
  user_id uuid NOT NULL,
  due_at timestamptz NOT NULL,
  sent_at timestamptz,
  PRIMARY KEY (notification_id, channel)
);
CREATE INDEX notification_dispatches_due ON notification_dispatches (user_id, channel, due_at) WHERE sent_at IS NULL;

-- Browsers that show notifications. Address and keys let anyone who has them write to that browser, so they are sealed.
CREATE TABLE push_subscriptions (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL,
  -- Of the sign-in that subscribed, own or hosted. When it has ended, the browser is no longer written to.
  session_id uuid NOT NULL,
  -- SHA-256 of the address.
  address_hash bytea NOT NULL CONSTRAINT push_subscriptions_address_key UNIQUE,
  sealed bytea NOT NULL,
  -- The browser, in words.
  device text NOT NULL,
  last_sent_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX push_subscriptions_user ON push_subscriptions (user_id);
