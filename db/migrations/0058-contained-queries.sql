-- A query that has to contain the one of `from_path`. Rules with another option keep it: `exact` stays `exact`.
ALTER TABLE redirects DROP CONSTRAINT redirects_query_check;
ALTER TABLE redirects ADD CONSTRAINT redirects_query_check CHECK (query IN ('pass', 'ignore', 'exact', 'contains'));
