-- Calls that visitors book. The exclusion constraint compares a host (a uuid) and a span, which needs btree_gist.
CREATE EXTENSION IF NOT EXISTS btree_gist;

-- One row at most. Without it, the defaults of the code apply.
CREATE TABLE booking_settings (
  singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
  title text NOT NULL,
  length_minutes integer NOT NULL CHECK (length_minutes BETWEEN 5 AND 480),
  step_minutes integer NOT NULL CHECK (step_minutes BETWEEN 5 AND 480),
  change_window_minutes integer NOT NULL CHECK (change_window_minutes BETWEEN 0 AND 43200),
  questions jsonb NOT NULL DEFAULT '[]',
  version integer NOT NULL DEFAULT 1,
  updated_at timestamptz NOT NULL DEFAULT now()
);

-- Staff who take calls. Without any row, the owner takes them.
CREATE TABLE booking_hosts (
  -- An account, own or hosted.
  user_id uuid PRIMARY KEY,
  name text NOT NULL,
  is_active boolean NOT NULL DEFAULT true,
  zone text NOT NULL,
  -- Seven lists of spans, Monday first: [[{"from":"09:00","until":"17:00"}], …]
  hours jsonb NOT NULL,
  notice_minutes integer NOT NULL CHECK (notice_minutes BETWEEN 0 AND 43200),
  horizon_days integer NOT NULL CHECK (horizon_days BETWEEN 1 AND 366),
  buffer_before_minutes integer NOT NULL CHECK (buffer_before_minutes BETWEEN 0 AND 240),
  buffer_after_minutes integer NOT NULL CHECK (buffer_after_minutes BETWEEN 0 AND 240),
  daily_cap integer CHECK (daily_cap BETWEEN 1 AND 100),
  -- A text or a link.
  place text NOT NULL DEFAULT '',
  -- The private address of the host's own calls: only the hash of its token.
  feed_token_hash bytea UNIQUE,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);

-- Other hours on one date of the host's zone. No spans: a free day.
CREATE TABLE booking_overrides (
  host_id uuid NOT NULL,
  on_date date NOT NULL,
  spans jsonb NOT NULL DEFAULT '[]',
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (host_id, on_date)
);

CREATE TABLE booking_feeds (
  id uuid PRIMARY KEY,
  host_id uuid NOT NULL,
  label text NOT NULL,
  url_sealed bytea NOT NULL,
  state text NOT NULL DEFAULT 'new' CHECK (state IN ('new', 'ok', 'failing')),
  last_tried_at timestamptz,
  last_success_at timestamptz,
  last_error text,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX booking_feeds_host ON booking_feeds (host_id);

-- Spans without calls: from a feed or, without one, blocked by hand.
CREATE TABLE booking_busy (
  id uuid PRIMARY KEY,
  host_id uuid NOT NULL,
  feed_id uuid REFERENCES booking_feeds (id) ON DELETE CASCADE,
  starts_at timestamptz NOT NULL,
  ends_at timestamptz NOT NULL,
  -- Only of spans blocked by hand: the events of a feed are nobody's business.
  reason text,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT booking_busy_span CHECK (starts_at < ends_at)
);
CREATE INDEX booking_busy_host ON booking_busy (host_id, ends_at);
CREATE INDEX booking_busy_feed ON booking_busy (feed_id);

ALTER TABLE consultations DROP CONSTRAINT consultations_source_check;
ALTER TABLE consultations ADD CONSTRAINT consultations_source_check CHECK (source IN ('contact', 'staff', 'booking'));

CREATE TABLE bookings (
  id uuid PRIMARY KEY,
  -- Missing while it is held.
  reference text,
  source text NOT NULL DEFAULT 'site' CHECK (source IN ('site', 'calendly', 'cal', 'embed')),
  -- Missing for calls in somebody else's calendar.
  host_id uuid,
  status text NOT NULL CHECK (status IN ('held', 'booked', 'cancelled', 'completed', 'no_show')),
  starts_at timestamptz NOT NULL,
  ends_at timestamptz NOT NULL,
  blocked_from timestamptz NOT NULL,
  blocked_until timestamptz NOT NULL,
  blocked tstzrange NOT NULL GENERATED ALWAYS AS (tstzrange(blocked_from, blocked_until, '[)')) STORED,
  guest_zone text,
  person_id uuid REFERENCES people (id),
  contact_id uuid REFERENCES contacts (id),
  consultation_id uuid REFERENCES consultations (id),
  name text,
  email citext,
  company text,
  phone text,
  project_description text,
  answers jsonb NOT NULL DEFAULT '[]',
  place text NOT NULL DEFAULT '',
  -- The token of the link for changes is a MAC of id and version, so emails can repeat it. Looked up by its hash.
  manage_version integer NOT NULL DEFAULT 1,
  manage_hash bytea,
  -- Rises with each change, for calendars.
  sequence integer NOT NULL DEFAULT 0,
  held_until timestamptz,
  holder text,
  holder_network text,
  idempotency_key text,
  changed_by text CHECK (changed_by IN ('guest', 'staff', 'scheduler')),
  changed_by_id uuid,
  change_reason text,
  -- The id in the other scheduler, and what it was last told.
  external_id text,
  is_verified boolean NOT NULL DEFAULT true,
  booked_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT bookings_span CHECK (starts_at < ends_at AND blocked_from <= starts_at AND blocked_until >= ends_at),
  CONSTRAINT bookings_held CHECK ((status = 'held') = (held_until IS NOT NULL)),
  CONSTRAINT bookings_host CHECK (host_id IS NOT NULL OR source <> 'site'),
  CONSTRAINT bookings_reference_key UNIQUE (reference),
  CONSTRAINT bookings_manage_key UNIQUE (manage_hash),
  CONSTRAINT bookings_idempotency_key UNIQUE (idempotency_key),
  CONSTRAINT bookings_external_key UNIQUE (source, external_id),
  -- No host has two calls at once, whatever the code believes.
  CONSTRAINT bookings_no_overlap EXCLUDE USING gist (host_id WITH =, blocked WITH &&) WHERE (status IN ('held', 'booked'))
);
CREATE INDEX bookings_by_time ON bookings (starts_at);
CREATE INDEX bookings_host_time ON bookings (host_id, starts_at);
CREATE INDEX bookings_expiring ON bookings (held_until) WHERE status = 'held';
CREATE INDEX bookings_holder ON bookings (holder) WHERE status = 'held';
CREATE INDEX bookings_person ON bookings (person_id);
CREATE INDEX bookings_contact ON bookings (contact_id);
CREATE INDEX bookings_consultation ON bookings (consultation_id);
