-- The blog. A post as the public sees it once it is published and its time has come; what is being written stands apart, so that nothing shows by accident.
CREATE TABLE posts (
  id uuid PRIMARY KEY,
  slug text NOT NULL,
  title text NOT NULL,
  excerpt text NOT NULL,
  content text NOT NULL,
  featured_image text,
  tags text[] NOT NULL DEFAULT '{}',
  meta_title text,
  meta_description text,
  published boolean NOT NULL DEFAULT false,
  -- Set when it is published for the first time, and from then on only by hand; in the future while it waits for its time.
  published_at timestamptz,
  -- An account, here or at a hosted service.
  author_id uuid NOT NULL,
  -- Made of the content once, when it is saved: cleaned HTML, the headings of its table of contents, its words.
  html text NOT NULL,
  headings jsonb NOT NULL DEFAULT '[]',
  words integer NOT NULL DEFAULT 0,
  -- By which state of the program that was done: a newer one does it again.
  rendering integer NOT NULL DEFAULT 0,
  -- One more with each change: two people who change the same version are told apart by it.
  version integer NOT NULL DEFAULT 1,
  -- The public has seen it at some time: its address leads somewhere for good.
  was_public boolean NOT NULL DEFAULT false,
  removed_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- The last change of what readers see.
  updated_at timestamptz NOT NULL DEFAULT now(),
  search text NOT NULL GENERATED ALWAYS AS (lower(' ' || title || ' ' || excerpt || ' ' || content)) STORED,
  CONSTRAINT posts_published_since CHECK (NOT published OR published_at IS NOT NULL)
);
CREATE UNIQUE INDEX posts_slug_key ON posts (slug) WHERE removed_at IS NULL;
CREATE INDEX posts_removed_slug ON posts (slug) WHERE removed_at IS NOT NULL;
CREATE INDEX posts_public ON posts (published_at DESC, id DESC) WHERE published AND removed_at IS NULL;
CREATE INDEX posts_newest ON posts (created_at DESC, id DESC) WHERE removed_at IS NULL;
CREATE INDEX posts_tags ON posts USING gin (tags) WHERE published AND removed_at IS NULL;
CREATE INDEX posts_search ON posts USING gin (search gin_trgm_ops);

-- The working copy of a post that is being changed: kept every few seconds, seen by nobody outside until it is saved.
CREATE TABLE post_drafts (
  post_id uuid PRIMARY KEY REFERENCES posts (id) ON DELETE CASCADE,
  -- What the editor holds: the fields of a post as they are typed, not yet checked.
  fields jsonb NOT NULL,
  -- The version of the post that it began from, and its own count of changes.
  base_version integer NOT NULL,
  version integer NOT NULL DEFAULT 1,
  editor_id uuid NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now()
);

-- Every version that a post ever had, whole.
CREATE TABLE post_revisions (
  id uuid PRIMARY KEY,
  post_id uuid NOT NULL REFERENCES posts (id) ON DELETE CASCADE,
  version integer NOT NULL,
  fields jsonb NOT NULL,
  editor_id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT post_revisions_version UNIQUE (post_id, version)
);

-- Links by which a draft is shown to someone without an account. Only the hash of the secret is kept.
CREATE TABLE post_previews (
  id uuid PRIMARY KEY,
  post_id uuid NOT NULL REFERENCES posts (id) ON DELETE CASCADE,
  token_hash text NOT NULL UNIQUE,
  created_by uuid NOT NULL,
  expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX post_previews_post ON post_previews (post_id);

-- Pictures that staff gave for posts. The files made of each lie in the file storage.
CREATE TABLE images (
  id uuid PRIMARY KEY,
  alt text NOT NULL,
  file_name text NOT NULL,
  width integer NOT NULL,
  height integer NOT NULL,
  bytes integer NOT NULL,
  -- Of the files that were made of it, in pixels, smallest first; each is there as AVIF and as WebP.
  widths integer[] NOT NULL,
  -- Of the file as it was given: the same picture is kept once.
  sha256 text NOT NULL UNIQUE,
  created_by uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX images_newest ON images (created_at DESC, id DESC);

-- When the first posts were put in: what is removed of them does not come back.
ALTER TABLE installation ADD COLUMN blog_begun_at timestamptz;
