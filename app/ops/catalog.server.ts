import { sql } from 'kysely'
import { z } from 'zod'
import type { Database, Trx } from '#app/platform/database/db.server.ts'
import { queryRows } from '#app/platform/database/sql.server.ts'

const catalogTable = {
  name: z.string(),
  /** Without generated columns. */
  columns: z.array(z.object({ name: z.string(), type: z.string() })),
  key: z.array(z.string()),
  /** Tables that this one references. */
  parents: z.array(z.string()),
}

/** A table from the database catalog. */
export type CatalogTable = z.infer<z.ZodObject<typeof catalogTable>>

/** Every table of the product, each after the tables that it references. */
export async function listTables(connection: Database | Trx): Promise<CatalogTable[]> {
  const rows = await queryRows(
    connection,
    catalogTable,
    sql`
    SELECT c.relname AS name,
      (SELECT json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod)) ORDER BY a.attnum)
        FROM pg_attribute a
        WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '') AS columns,
      (SELECT coalesce(json_agg(a.attname ORDER BY a.attnum), '[]')
        FROM pg_index i JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = ANY (i.indkey)
        WHERE i.indrelid = c.oid AND i.indisprimary) AS key,
      (SELECT coalesce(json_agg(DISTINCT f.confrelid::regclass::text), '[]')
        FROM pg_constraint f
        WHERE f.conrelid = c.oid AND f.contype = 'f' AND f.confrelid <> c.oid) AS parents
    FROM pg_class c
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND c.relname NOT LIKE 'kysely\\_%'
      AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')
    ORDER BY c.relname`,
  )
  return parentsFirst(rows)
}

function parentsFirst(tables: CatalogTable[]): CatalogTable[] {
  const sorted: CatalogTable[] = []
  const waiting = new Set(tables)
  while (waiting.size > 0) {
    const free = [...waiting].filter(({ parents }) => parents.every((parent) => sorted.some(({ name }) => name === parent)))
    if (free.length === 0) throw new Error('The tables refer to each other in a circle.')
    for (const table of free) {
      sorted.push(table)
      waiting.delete(table)
    }
  }
  return sorted
}

/** Tables that a start, or a migration, fills. An installation with rows in no other table is empty. */
const housekeeping = new Set([
  'call_types',
  'installation',
  'jobs',
  'lead_lost_reasons',
  'lead_stages',
  'lead_templates',
  'rate_limits',
  'secrets',
  'service_promises',
  'service_spans',
])

/** Tables of data that people entered. */
export async function listFilledTables(connection: Database | Trx): Promise<string[]> {
  const filled: string[] = []
  for (const { name } of await listTables(connection)) {
    if (housekeeping.has(name)) continue
    const { rows } = await sql`SELECT 1 FROM ${sql.id(name)} LIMIT 1`.execute(connection)
    if (rows.length > 0) filled.push(name)
  }
  return filled
}
