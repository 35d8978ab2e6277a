import { mkdirSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import type { Column, ColumnType, Filter, RowChoice } from '#app/datasets/catalog/column.ts'
import { queryDuckdb, literal, identifier } from '#app/datasets/rows/engine.server.ts'
import { env } from '#app/platform/env.server.ts'

/** A row in the API's format. */
type ModelRow = Record<string, unknown>

/** Names that could end a text or an identifier in SQL, JSON or CSV, with their column type and values. */
const kinds: { name: string; type: ColumnType; kept: string; values: unknown[] }[] = [
  { name: 'n', type: 'integer', kept: 'BIGINT', values: [null, -3, 0, 0, 1, 2, 7, 40_000] },
  {
    name: 'place "x"; --',
    type: 'text',
    kept: 'VARCHAR',
    values: [null, '', 'a', 'A', 'b,"c"', "it's", 'ü', '𝄞', 'line\nbreak', ' a ', '=1+1', 'null'],
  },
  { name: 'sort', type: 'number', kept: 'DOUBLE', values: [null, -0.5, 0.1, 0.1, 3, 1e20, 1e-7] },
  { name: 'a,b[gte]', type: 'boolean', kept: 'BOOLEAN', values: [null, true, false] },
  { name: 'day', type: 'date', kept: 'DATE', values: [null, '1999-12-31', '2024-02-29', '2024-03-01'] },
  {
    name: 'at',
    type: 'timestamp',
    kept: 'TIMESTAMP',
    values: [null, '2024-03-01T00:00:00', '2024-03-01T00:00:00.25', '2024-02-29T23:59:59.999999'],
  },
  { name: 'beyond', type: 'integer', kept: 'BIGINT', values: [null, '9007199254740993', '9007199254740995', '-9223372036854775808', 5] },
  { name: 'price', type: 'number', kept: 'DECIMAL(9,2)', values: [null, '0.10', '19.99', '-1.00'] },
  { name: 'tags', type: 'list', kept: 'JSON', values: [null, [], ['a', 'b"c'], [1, { x: null }]] },
]

export const modelColumns: Column[] = kinds.map(({ name, type }) => columnOf(name, type))

export function columnOf(name: string, type: ColumnType): Column {
  return { name, type, description: '', fillRate: 1, distinct: 1, min: null, max: null, histogram: null, topValues: [], masked: false }
}

/** The storage type of a column. */
export function keptAs(column: string): string {
  return kinds.find(({ name }) => name === column)?.kept ?? 'VARCHAR'
}

/** Deterministic rows. */
export function modelRows(count: number): ModelRow[] {
  let state = 7
  const next = (most: number) => {
    state = (state * 48_271) % 2_147_483_647
    return state % most
  }
  return Array.from({ length: count }, () => Object.fromEntries(kinds.map(({ name, values }) => [name, values[next(values.length)]])))
}

/** Writes rows as the Parquet file of a version, in several blocks if they are many. */
export async function keepRows(versionId: string, rows: ModelRow[]) {
  const folder = path.resolve(env.DATA_DIR, 'files/datasets', versionId)
  mkdirSync(folder, { recursive: true })
  const shape = JSON.stringify([Object.fromEntries(kinds.map(({ name, kept }) => [name, kept]))])
  const columns = kinds.map(({ name, kept }) => `CAST(kept_row.${identifier(name)} AS ${kept}) AS ${identifier(name)}`)
  await queryDuckdb(`COPY (SELECT ${columns.join(', ')} FROM (SELECT unnest(from_json(${literal(JSON.stringify(rows))}, ${literal(shape)})) AS kept_row))
    TO ${literal(path.join(folder, 'data.parquet'))} (FORMAT parquet, ROW_GROUP_SIZE 2048)`)
}

/** The result of a row selection, row by row, in plain JavaScript. */
export function chosenFrom(rows: readonly ModelRow[], { select, filters, sort }: RowChoice): ModelRow[] {
  const kept = rows.filter((row) => filters.every((filter) => fulfils(row[filter.column], filter)))
  const sorted = sort ? kept.toSorted((one, other) => inOrder(one[sort.column], other[sort.column], sort.column, sort.descending)) : kept
  return sorted.map((row) => (select ? Object.fromEntries(select.map((name) => [name, row[name]])) : row))
}

function fulfils(value: unknown, { column, operator, value: asked }: Filter): boolean {
  if (operator === 'null') return (value === null) === (asked === 'true')
  if (value === null) return false
  if (operator === 'contains') return textOf(value).toLowerCase().includes(asked.toLowerCase())
  if (operator === 'starts') return textOf(value).toLowerCase().startsWith(asked.toLowerCase())
  if (operator === 'in') return asked.split(',').some((each) => compare(value, each, column) === 0)
  const sign = compare(value, asked, column)
  return { eq: sign === 0, ne: sign !== 0, gt: sign > 0, gte: sign >= 0, lt: sign < 0, lte: sign <= 0 }[operator]
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

function inOrder(one: unknown, other: unknown, column: string, descending: boolean): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null)
  return compare(one, other, column) * (descending ? -1 : 1)
}

/** Whole numbers are compared exactly, texts by their bytes. */
function compare(one: unknown, other: unknown, column: string): number {
  const type = kinds.find(({ name }) => name === column)?.type
  if (type === 'integer') return Number(BigInt(textOf(one)) - BigInt(textOf(other)))
  if (type === 'number') return Number(one) - Number(other)
  return Buffer.compare(Buffer.from(textOf(one)), Buffer.from(textOf(other)))
}

/** Row selections, with values from the columns and some others. */
export const anyChoice: fc.Arbitrary<RowChoice> = fc.record(
  {
    select: fc.uniqueArray(fc.constantFrom(...kinds.map(({ name }) => name)), { minLength: 1 }),
    filters: fc.array(fc.constantFrom(...kinds).chain(filterOn), { maxLength: 2 }),
    sort: fc.record({
      column: fc.constantFrom(...kinds.filter(({ type }) => type !== 'list').map(({ name }) => name)),
      descending: fc.boolean(),
    }),
  },
  { requiredKeys: ['filters'] },
)

function filterOn({ name, type, values }: (typeof kinds)[number]): fc.Arbitrary<Filter> {
  const isNull: fc.Arbitrary<Filter> = fc.constantFrom('true', 'false').map((value) => ({ column: name, operator: 'null', value }))
  if (type === 'list') return isNull
  const given = fc.constantFrom(...values.filter((value) => value !== null).map(String), ...others[type])
  const comparing = type === 'boolean' ? (['eq', 'ne'] as const) : (['eq', 'ne', 'gt', 'gte', 'lt', 'lte'] as const)
  const compared = fc.record({ column: fc.constant(name), operator: fc.constantFrom(...comparing), value: given })
  const several: fc.Arbitrary<Filter> = fc
    .array(
      given.filter((value) => !/[,"]/.test(value)),
      { minLength: 1, maxLength: 4 },
    )
    .map((each) => ({ column: name, operator: 'in', value: each.join(',') }))
  const part: fc.Arbitrary<Filter> = fc.record({ column: fc.constant(name), operator: fc.constantFrom('contains', 'starts'), value: given })
  return fc.oneof(isNull, several, type === 'text' ? part : compared, { weight: 3, arbitrary: compared })
}

const others: Record<ColumnType, string[]> = {
  text: ['zz', '%', '_', "'; DROP TABLE x", '\\'],
  integer: ['12', '99999999999999999999', '-99999999999999999999'],
  number: ['0.105', '-7', '123456789012', '1e3'],
  boolean: [],
  date: ['2000-01-01'],
  timestamp: ['2024-03-01T00:00:01'],
  list: [],
  object: [],
}
