import { readdirSync, readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { closeDatabase, openDatabase } from '#app/platform/database/open.server.ts'
import { db } from '#app/platform/database/db.server.ts'

type Column = { type: string; nullable: boolean; given: 'always' | 'by default' | 'never' }
type Columns = Record<string, Column>

beforeAll(openDatabase)
afterAll(closeDatabase)

/** The columns by the code: each line of each type of the map. */
function readMap(): Record<string, Columns> {
  const files = readdirSync('db').filter((file) => /^([\w-]+-)?tables\.ts$/.test(file))
  const text = files.map((file) => readFileSync(`db/${file}`, 'utf8')).join('\n')
  const tables = [...text.matchAll(/export type \w*Tables = (?:\w+ &\s+)*\{\n(.*?)\n\s*\}/gs)].map(([, lines]) => lines).join('\n')
  return Object.fromEntries(
    [...tables.matchAll(/(\w+): (\w+)/g)].map(([, table = '', type]) => {
      const [, lines = ''] = new RegExp(`\\ntype ${type} = \\{\\n(.*?)\\n\\}`, 's').exec(text) ?? []
      return [
        toSnake(table),
        Object.fromEntries([...lines.matchAll(/^ {2}(\w+): (.+)$/gm)].map(([, name = '', said = '']) => [toSnake(name), readColumn(said)])),
      ]
    }),
  )
}

function readColumn(said: string): Column {
  const given = said.startsWith('GeneratedAlways')
    ? 'always'
    : /^(Generated<|CreatedAt|JsonWithDefault)/.test(said)
      ? 'by default'
      : 'never'
  return { type: kindOf(said), nullable: said.endsWith('| null'), given }
}

function kindOf(said: string): string {
  if (said.startsWith('Json')) return 'json'
  if (/(string|number)\[\]/.test(said)) return 'list'
  for (const kind of ['number', 'boolean', 'Uint8Array'] as const) if (said.includes(kind)) return kind
  return /\bDate\b|CreatedAt/.test(said) ? 'Date' : 'string'
}

const kinds: Record<string, string> = {
  uuid: 'string',
  text: 'string',
  varchar: 'string',
  citext: 'string',
  bpchar: 'string',
  inet: 'string',
  tsvector: 'string',
  int2: 'number',
  int4: 'number',
  int8: 'number',
  float8: 'number',
  bool: 'boolean',
  bytea: 'Uint8Array',
  timestamptz: 'Date',
  jsonb: 'json',
  _int4: 'list',
  _text: 'list',
  _uuid: 'list',
  date: 'string',
  tstzrange: 'string',
}

/** The columns by the migrated database. */
async function readDatabase(map: Record<string, Columns>): Promise<Record<string, Columns>> {
  const { rows } = await sql<{
    table: string
    column: string
    type: string
    nullable: boolean
    fallback: boolean
    computed: boolean
    view: boolean
  }>`
    SELECT table_name AS table, column_name AS column, udt_name AS type, is_nullable = 'YES' AS nullable,
      column_default IS NOT NULL AS fallback, is_generated = 'ALWAYS' AS computed,
      table_name IN (SELECT table_name FROM information_schema.views WHERE table_schema = current_schema()) AS view
    FROM information_schema.columns
    WHERE table_schema = current_schema() AND table_name NOT LIKE 'kysely%'
    ORDER BY table_name, ordinal_position`.execute(db)
  const tables: Record<string, Columns> = {}
  for (const { table, column, type, nullable, fallback, computed, view } of rows) {
    const given = computed ? 'always' : fallback ? 'by default' : 'never'
    // The database does not say whether a column of a view can be null.
    const isNullable = view ? map[table]?.[column]?.nullable === true : nullable && !computed
    tables[table] = { ...tables[table], [column]: { type: kinds[type] ?? type, nullable: isNullable, given } }
  }
  return tables
}

function toSnake(name: string): string {
  return name.replaceAll(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`)
}

test('the map of tables matches the database column by column', async () => {
  const map = readMap()
  expect(Object.keys(map).length).toBeGreaterThan(10)
  expect(await readDatabase(map)).toEqual(map)
})

test('a referenced row can be deleted without a scan of the referring table', async () => {
  const { rows } = await sql<{ reference: string }>`
    SELECT conrelid::regclass || '.' || attname AS reference
    FROM pg_constraint JOIN pg_attribute ON attrelid = conrelid AND attnum = conkey[1]
    WHERE contype = 'f' AND connamespace = current_schema()::regnamespace
      AND NOT EXISTS (SELECT FROM pg_index WHERE indrelid = conrelid AND indkey[0] = conkey[1])`.execute(db)
  // A constraint allows only one row.
  expect(rows.map(({ reference }) => reference)).toEqual(['installation.owner_id'])
})
