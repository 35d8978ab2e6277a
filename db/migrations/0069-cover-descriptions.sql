-- The cover of a post, for people who cannot see it.
ALTER TABLE posts ADD COLUMN featured_image_alt text;
