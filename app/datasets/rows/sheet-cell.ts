import type { ColumnType } from '#app/datasets/catalog/column.ts'
import type { SheetCell } from '#app/platform/tables/xlsx.ts'

/** A decimal that Excel holds to its last digit; it keeps 15 of them. */
const DECIMAL = /^-?(?=(?:\d\.?){1,15}$)\d+(?:\.\d+)?$/

/** A value of the API in an Excel sheet: numbers, days and times have their types, and no digit is lost. */
export function sheetCell(value: unknown, type: ColumnType | undefined): SheetCell {
  if (value === null || value === undefined) return null
  if (typeof value === 'number' || typeof value === 'boolean') return value
  if (typeof value !== 'string') return JSON.stringify(value)
  if (type === 'number' && DECIMAL.test(value)) return Number(value)
  if (type === 'date') return { date: value, hasTime: false }
  if (type !== 'timestamp') return value
  const moment = value.endsWith('Z') ? value : `${value}Z`
  // A time that never ends stays a word.
  return Number.isNaN(Date.parse(moment)) ? value : { date: moment, hasTime: true }
}
