import type { DuckDBMaterializedResult, DuckDBValue, Json } from '@duckdb/node-api'

/** One row, as JSON would hold it. */
export type PlainRow = Record<string, unknown>

/**
 * Rows as plain objects. Numbers that JavaScript holds exactly are numbers; larger ones and decimals are text. Dates and times are text,
 * lists and structs are arrays and objects.
 */
export async function plainRows(result: DuckDBMaterializedResult): Promise<PlainRow[]> {
  const { JsonDuckDBValueConverter } = await import('@duckdb/node-api')
  const plain = (value: DuckDBValue, type: Parameters<typeof JsonDuckDBValueConverter>[1]): Json =>
    typeof value === 'bigint' ? exact(value) : JsonDuckDBValueConverter(value, type, plain)
  return result.convertRowObjects(plain)
}

function exact(value: bigint): number | string {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : String(value)
}
