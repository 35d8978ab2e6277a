/** A migrated database: the versions of its tables, its size, and the rows that migrations wrote. */
export type Template = { shape: string; bytes: number; seeded: unknown; stages: unknown; templates: unknown }

export type Connection = {
  /** Sends several statements. */
  run: (statements: string) => Promise<unknown>
  ask: <Row>(statement: string, values?: unknown[]) => Promise<Row[]>
}

/** Deleted rows still take space in the files. Above this size, a new copy of the template is cheaper. */
const MOST_BYTES = 40_000_000

const LOOK = `
  SELECT md5(string_agg(oid::text || xmin::text, ',' ORDER BY oid)) AS shape, sum(pg_relation_size(oid))::float8 AS bytes,
    (SELECT jsonb_agg(installation) FROM installation) AS seeded, (SELECT jsonb_agg(lead_stages) FROM lead_stages) AS stages,
    (SELECT jsonb_agg(lead_templates) FROM lead_templates) AS templates
  FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'i', 'v')`
const EMPTY = `
  ROLLBACK; RESET ALL; SET session_replication_role = replica;
  DO $$ DECLARE held regclass; BEGIN
    FOR held IN SELECT oid FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND relname !~ '^(kysely_|service_promises)'
    LOOP EXECUTE format('DELETE FROM %s', held); END LOOP;
  END $$;`
const SEED = 'INSERT INTO installation SELECT * FROM jsonb_populate_recordset(NULL::installation, $1::jsonb)'
const SEED_STAGES = 'INSERT INTO lead_stages SELECT * FROM jsonb_populate_recordset(NULL::lead_stages, $1::jsonb)'
const SEED_TEMPLATES = 'INSERT INTO lead_templates SELECT * FROM jsonb_populate_recordset(NULL::lead_templates, $1::jsonb)'

export async function lookAtTemplate({ ask }: Connection): Promise<Template | undefined> {
  return (await ask<Template>(LOOK))[0]
}

/** Empties a database and returns whether it equals its template: false after a test that changed a table or wrote very much. */
export async function emptyDatabase(connection: Connection, { shape, seeded, stages, templates }: Template): Promise<boolean> {
  const { run, ask } = connection
  await run(EMPTY)
  for (const [statement, rows] of [
    [SEED, seeded],
    [SEED_STAGES, stages],
    [SEED_TEMPLATES, templates],
  ] as const) {
    await ask(statement, [rows && JSON.stringify(rows)])
  }
  await run('RESET ALL')
  const now = await lookAtTemplate(connection)
  return now?.shape === shape && now.bytes < MOST_BYTES
}
