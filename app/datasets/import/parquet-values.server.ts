import { type DuckDBType, DuckDBTypeId as Id } from '@duckdb/node-api'
import type { ColumnType } from '#app/datasets/catalog/column.ts'
import { isFloating, jsonOfValue, shortest } from '#app/datasets/rows/value-sql.ts'
import { named, sqlLiteral } from './import-database.server.ts'
import { Unreadable } from './unreadable.ts'

/** A Parquet column in one of our types. `lost` counts the values that the note is about; without it, there is nothing to note. */
export type ParquetColumn = { given: string; name: string; type: ColumnType; sql: string; note?: string; lost?: string }

const NOT_FINITE = 'JSON and CSV show NaN and infinity as text'
const FAR = 'Many programs cannot read times before the year 1 or after the year 9999'
const NANOSECONDS = 'Times are stored in microseconds. The digits of nanoseconds are cut off'

/** How a column of a Parquet file is stored. Nested values become JSON. */
export function readParquetColumn(given: string, name: string, kept: DuckDBType): ParquetColumn {
  checkSupported(kept, name)
  const x = named(given)
  const text = String(kept)
  const is = (type: ColumnType, sql: string): ParquetColumn => ({ given, name, type, sql })
  const { typeId } = kept
  if (typeId === Id.LIST || typeId === Id.ARRAY) return is('list', asJson(kept, x))
  if (typeId === Id.STRUCT || typeId === Id.MAP || typeId === Id.UNION) return is('object', asJson(kept, x))
  if (typeId === Id.BOOLEAN) return is('boolean', x)
  if (typeId === Id.DATE) return { ...is('date', x), note: FAR, lost: isFar(x) }
  if (typeId === Id.DECIMAL) return is('number', x)
  if (typeId === Id.FLOAT || typeId === Id.DOUBLE)
    return { ...is('number', `${shortest(text, x)}::DOUBLE`), note: NOT_FINITE, lost: `NOT isfinite(${x})` }
  if (typeId === Id.TIMESTAMP_NS) return { ...is('timestamp', `${x}::TIMESTAMP`), note: NANOSECONDS, lost: `epoch_ns(${x}) % 1000 <> 0` }
  if (kept.alias === 'JSON') return is('object', x)
  if (text.startsWith('TIMESTAMP')) return { ...is('timestamp', `${x}::TIMESTAMP`), note: FAR, lost: isFar(x) }
  return /^(U?(TINY|SMALL)INT|U?INTEGER|BIGINT)$/.test(text) ? is('integer', `${x}::BIGINT`) : is('text', `${x}::VARCHAR`)
}

function isFar(x: string): string {
  return `NOT coalesce(isfinite(${x}) AND year(${x}) BETWEEN 1 AND 9999, ${x} IS NULL)`
}

function checkSupported(type: DuckDBType, name: string): void {
  if (type.typeId === Id.VARIANT) throw new Unreadable(`The column ${name} has values of mixed types (VARIANT). Export it as JSON text.`)
  if (/^(BLOB|BIT|GEOMETRY)/.test(String(type)))
    throw new Unreadable(`The column ${name} has binary data, which is not supported. Remove it.`)
  for (const inner of innerTypes(type)) checkSupported(inner, name)
}

function innerTypes(type: DuckDBType): readonly DuckDBType[] {
  if (type.typeId === Id.LIST || type.typeId === Id.ARRAY) return [type.valueType]
  if (type.typeId === Id.STRUCT) return type.entryTypes
  if (type.typeId === Id.MAP) return [type.keyType, type.valueType]
  return type.typeId === Id.UNION ? type.memberTypes : []
}

/** The same rules as for values alone; most types are JSON already. */
function asJson(type: DuckDBType, x: string, depth = 0): string {
  if (!isChanged(type)) return `to_json(${x})`
  const each = `each_${depth}`
  const inside = (list: string, inner: DuckDBType) => `list_transform(${list}, lambda ${each}: ${asJson(inner, each, depth + 1)})`
  const given = (sql: string) => `CASE WHEN ${x} IS NOT NULL THEN to_json(${sql}) END`
  if (type.typeId === Id.LIST || type.typeId === Id.ARRAY) return given(inside(x, type.valueType))
  if (type.typeId === Id.STRUCT) {
    const entries = type.entryNames.map((name, at) => {
      const inner = type.entryTypes[at]
      const entry = `struct_extract(${x}, ${sqlLiteral(name)})`
      return `${named(name)} := ${inner ? asJson(inner, entry, depth + 1) : entry}`
    })
    return given(`struct_pack(${entries.join(', ')})`)
  }
  if (type.typeId === Id.MAP) {
    const keys = `list_transform(map_keys(${x}), lambda ${each}: ${each}::VARCHAR)`
    return given(`map(${keys}, ${inside(`map_values(${x})`, type.valueType)})`)
  }
  return type.typeId === Id.UNION ? `to_json(${x})` : jsonOfValue(String(type), x)
}

/** Whether some value inside has another form in JSON than the engine gives it. */
function isChanged(type: DuckDBType): boolean {
  const text = String(type)
  if (isFloating(text) || /^(DECIMAL|TIMESTAMP|U?BIGINT|U?HUGEINT)/.test(text)) return true
  return innerTypes(type).some(isChanged)
}
