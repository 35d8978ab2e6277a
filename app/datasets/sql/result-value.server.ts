import {
  type DuckDBType,
  DuckDBTypeId as Id,
  type DuckDBValue,
  type DuckDBValueConverter,
  type Json,
  JsonDuckDBValueConverter,
} from '@duckdb/node-api'
import type { ColumnType } from '#app/datasets/catalog/column.ts'

const WHOLE = new Set([
  Id.TINYINT,
  Id.SMALLINT,
  Id.INTEGER,
  Id.BIGINT,
  Id.UTINYINT,
  Id.USMALLINT,
  Id.UINTEGER,
  Id.UBIGINT,
  Id.HUGEINT,
  Id.UHUGEINT,
])
const TIMES = new Set([Id.TIMESTAMP, Id.TIMESTAMP_S, Id.TIMESTAMP_MS, Id.TIMESTAMP_NS, Id.TIMESTAMP_TZ])

/** JSON values as in the whole API: integers up to 2^53 as numbers and larger ones as text, decimals as text, times as ISO 8601. */
export const toJson: DuckDBValueConverter<Json> = (value: DuckDBValue, type, converter) => {
  if (value === null) return null
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value)
  if (type.typeId === Id.FLOAT && typeof value === 'number' && Number.isFinite(value)) return shortestFloat(value)
  if (TIMES.has(type.typeId)) return String(value).replace(' ', 'T').replace(/\+00$/, 'Z')
  if (type.typeId === Id.INTERVAL) return String(value)
  return JsonDuckDBValueConverter(value, type, converter)
}

/** The shortest number that is the same value of 32 bits: 0.1 instead of 0.10000000149011612. */
function shortestFloat(value: number): number {
  const digits = [6, 7, 8].find((count) => Math.fround(Number(value.toPrecision(count))) === value)
  return Number(value.toPrecision(digits ?? 9))
}

const TOKENS = /"(?:[^"\\]|\\.)*"|-?(?:NaN|Infinity)/g

/** Nested values of a version that an earlier release imported can hold NaN and infinity as numbers, which is no JSON. */
export function fromJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return JSON.parse(text.replaceAll(TOKENS, (token) => (token.startsWith('"') ? token : `"${token}"`)))
  }
}

/** The API's type of a column. */
export function typeOf({ typeId, alias }: DuckDBType): ColumnType {
  if (alias === 'JSON') return 'object'
  if (WHOLE.has(typeId)) return 'integer'
  if (TIMES.has(typeId)) return 'timestamp'
  return others[typeId] ?? 'text'
}

const others: Partial<Record<Id, ColumnType>> = {
  [Id.FLOAT]: 'number',
  [Id.DOUBLE]: 'number',
  [Id.DECIMAL]: 'number',
  [Id.BOOLEAN]: 'boolean',
  [Id.DATE]: 'date',
  [Id.LIST]: 'list',
  [Id.ARRAY]: 'list',
  [Id.STRUCT]: 'object',
  [Id.MAP]: 'object',
}
