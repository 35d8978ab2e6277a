-- PostgreSQL plans the body of an SQL function anew in each statement that calls it, which cost more than the rest of an enquiry. It keeps the
-- plans of a PL/pgSQL function. Without business hours, there is nothing to look up.
CREATE OR REPLACE FUNCTION breach_instant_of(since timestamptz, hours integer) RETURNS timestamptz LANGUAGE plpgsql STABLE AS $$ BEGIN
  IF NOT EXISTS (SELECT FROM service_spans) THEN RETURN since + make_interval(hours => hours); END IF; RETURN coalesce(
    (SELECT closes_at - make_interval(secs => (open_after - seconds)::float8)
      FROM (SELECT open_after - greatest(0, extract(epoch FROM closes_at - since)) + hours * 3600 AS seconds
          FROM service_spans WHERE opens_at <= since ORDER BY opens_at DESC LIMIT 1) AS used
        CROSS JOIN LATERAL (SELECT closes_at, open_after FROM service_spans WHERE open_after >= ceil(used.seconds)::bigint
          ORDER BY open_after LIMIT 1) AS last),
    since + make_interval(hours => hours)); END $$;
