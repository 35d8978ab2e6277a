-- The kinds of calls that visitors can book. The first one has no slug: it is at /book itself, and was the only row of booking_settings.
CREATE TABLE call_types (
  id uuid PRIMARY KEY,
  -- Its address below /book.
  slug text CHECK (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' AND length(slug) <= 60),
  title text NOT NULL,
  length_minutes integer NOT NULL CHECK (length_minutes BETWEEN 5 AND 480),
  step_minutes integer NOT NULL CHECK (step_minutes BETWEEN 5 AND 480),
  change_window_minutes integer NOT NULL CHECK (change_window_minutes BETWEEN 0 AND 43200),
  questions jsonb NOT NULL DEFAULT '[]',
  -- Missing: those of each host.
  hours jsonb,
  place text,
  notice_minutes integer CHECK (notice_minutes BETWEEN 0 AND 43200),
  buffer_before_minutes integer CHECK (buffer_before_minutes BETWEEN 0 AND 240),
  buffer_after_minutes integer CHECK (buffer_after_minutes BETWEEN 0 AND 240),
  is_active boolean NOT NULL DEFAULT true,
  position integer NOT NULL DEFAULT 0,
  -- Calls keep the title of a deleted type.
  deleted_at timestamptz,
  version integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX call_types_slug ON call_types (slug) WHERE deleted_at IS NULL;
CREATE UNIQUE INDEX call_types_first ON call_types ((slug IS NULL)) WHERE slug IS NULL;

INSERT INTO call_types (id, title, length_minutes, step_minutes, change_window_minutes) VALUES (gen_random_uuid(), 'Free consultation', 30, 30, 120);
UPDATE call_types SET title = saved.title, length_minutes = saved.length_minutes, step_minutes = saved.step_minutes,
  change_window_minutes = saved.change_window_minutes, questions = saved.questions, version = saved.version FROM booking_settings AS saved;
DROP TABLE booking_settings;

-- Missing: the first one, or a call of another scheduler.
ALTER TABLE bookings ADD COLUMN call_type_id uuid REFERENCES call_types (id);
CREATE INDEX bookings_call_type ON bookings (call_type_id, starts_at);
