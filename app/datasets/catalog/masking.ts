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

type Seen = { rows: number; /** Whether the dataset is free, or the person has it. */ isWhole: boolean }

/**
 * The public profile of columns: masked columns keep their fill rate but show no values. Of a paid dataset, a column shows at most as many
 * values, or bars, as a tenth of the rows: otherwise the profile of a small one would give it away.
 */
export function publicColumns(columns: readonly Column[], { rows, isWhole }: Seen): Column[] {
  const most = isWhole ? Infinity : Math.floor(rows / 10)
  return columns.map((column) => {
    const { masked, min, max, histogram, topValues } = column
    const shown = masked ? 0 : most
    const range = shown < 2 ? { min: null, max: null } : { min, max }
    return {
      ...column,
      ...range,
      histogram: histogram && histogram.length <= shown ? histogram : null,
      topValues: topValues.slice(0, shown),
    }
  })
}
