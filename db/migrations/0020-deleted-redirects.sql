-- Deleted redirects, for a while: an undo inserts them again with their id, their position and their hits.
CREATE TABLE deleted_redirects (
  LIKE redirects INCLUDING DEFAULTS,
  deleted_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (id)
);
