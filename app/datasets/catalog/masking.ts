import type { Column } from './column.ts'

const MASK = '•••'

type Said = { maskedColumns: readonly string[]; columnDescriptions: Record<string, string> }

/** The sample of a product: its first rows as JSON text, without the values of masked columns. */
export function makeSample(firstRows: readonly Record<string, unknown>[], { maskedColumns }: Pick<Said, 'maskedColumns'>): string {
  const masked = new Set(maskedColumns)
  const rows = firstRows.map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [name, masked.has(name) && value !== null ? MASK : value])),
  )
  return JSON.stringify(rows)
}

/** The columns of a version with the staff's descriptions and masking. */
export function describeColumns(columns: readonly Column[], { maskedColumns, columnDescriptions }: Said): Column[] {
  return columns.map((column) => ({
    ...column,
    description: Object.hasOwn(columnDescriptions, column.name) ? (columnDescriptions[column.name] ?? '') : '',
    masked: maskedColumns.includes(column.name),
  }))
}

/** The public profile of columns: masked columns keep their fill rate but show no values. */
export function publicColumns(columns: readonly Column[]): Column[] {
  return columns.map((column) => (column.masked ? { ...column, min: null, max: null, histogram: null, topValues: [] } : column))
}
