import type { Column } from './column.ts'

const MASK = '•••'

/** The rows of a sample, at most. */
export const SAMPLE_ROWS = 5

/** A free dataset can be seen whole anyway. Of a paid one, at most a tenth is shown, and at least one row. */
export function sampleSize(rows: number, { isFree }: { isFree: boolean }): number {
  return isFree ? SAMPLE_ROWS : Math.min(SAMPLE_ROWS, Math.max(1, Math.floor(rows / 10)))
}

type Said = { maskedColumns: readonly string[]; columnDescriptions: Record<string, string> }

/** The sample of a product: its first rows as JSON text, without the values of masked columns. */
export function makeSample(
  firstRows: readonly Record<string, unknown>[],
  rows: number,
  { maskedColumns, isFree }: Pick<Said, 'maskedColumns'> & { isFree: boolean },
): string {
  const masked = new Set(maskedColumns)
  const shown = firstRows
    .slice(0, sampleSize(rows, { isFree }))
    .map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, masked.has(name) && value !== null ? MASK : value])))
  return JSON.stringify(shown)
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
