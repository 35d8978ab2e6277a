-- Addresses that lead elsewhere, in the order in which they are tried.
CREATE TABLE redirects (
  id uuid PRIMARY KEY,
  position integer NOT NULL,
  from_path text NOT NULL,
  to_path text NOT NULL,
  status_code smallint NOT NULL DEFAULT 301 CHECK (status_code IN (301, 302, 307, 308)),
  is_active boolean NOT NULL DEFAULT true,
  description text,
  -- How `from_path` is read: letter by letter, with a `*` at its end, or as a regular expression.
  kind text NOT NULL DEFAULT 'exact' CHECK (kind IN ('exact', 'wildcard', 'pattern')),
  -- What becomes of a query: handed on, dropped, or part of what must match.
  query text NOT NULL DEFAULT 'pass' CHECK (query IN ('pass', 'ignore', 'exact')),
  ignores_slash boolean NOT NULL DEFAULT true,
  ignores_case boolean NOT NULL DEFAULT false,
  hits bigint NOT NULL DEFAULT 0,
  last_hit_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  -- Two of them change places within one statement.
  CONSTRAINT redirects_position UNIQUE (position) DEFERRABLE INITIALLY DEFERRED
);

-- Addresses at which there was nothing. No word of who asked; the rarest and oldest make room.
CREATE TABLE missing_paths (
  path text PRIMARY KEY,
  hits bigint NOT NULL DEFAULT 0,
  -- Of the hits, those of programs that say so.
  bot_hits bigint NOT NULL DEFAULT 0,
  -- The page of ours, or the other site, that led there last.
  referrer text,
  first_seen_at timestamptz NOT NULL DEFAULT now(),
  last_seen_at timestamptz NOT NULL DEFAULT now(),
  -- Staff have said that nothing is to be done about it.
  ignored_at timestamptz
);
CREATE INDEX missing_paths_most ON missing_paths (hits DESC, path);
CREATE INDEX missing_paths_oldest ON missing_paths (last_seen_at);
