import type { QueryResult } from './query.ts'

export type ChartKind = 'bars' | 'line'
export type Point = { label: string; value: number }

/** A drawable result: a column of names or times, and columns of numbers. */
export type Drawable = { label: number; values: number[]; kind: ChartKind }

/** Bars need room for a name each, a line only for its shape. */
export const MOST_POINTS: Record<ChartKind, number> = { bars: 40, line: 2000 }

/** Undefined if a result makes no chart: no numbers, no labels, or fewer than two rows. */
export function drawableOf({ columns, rows }: Pick<QueryResult, 'columns' | 'rows'>): Drawable | undefined {
  const time = columns.findIndex(({ type }) => type === 'date' || type === 'timestamp')
  const text = columns.findIndex(({ type }) => type === 'text' || type === 'boolean')
  const label = time < 0 ? text : time
  const values = columns.flatMap(({ type }, index) => (type === 'number' || type === 'integer' ? [index] : []))
  if (label < 0 || values.length === 0 || rows.length < 2) return undefined
  return { label, values, kind: time < 0 ? 'bars' : 'line' }
}

/** Rows without a number are left out. */
export function pointsOf(rows: QueryResult['rows'], label: number, value: number, kind: ChartKind): Point[] {
  const points = rows.flatMap((row) => {
    const given = row[value]
    const number = given === null || given === '' ? NaN : Number(given)
    return Number.isFinite(number) ? [{ label: chartCellText(row[label]) || '(none)', value: number }] : []
  })
  return points.slice(0, MOST_POINTS[kind])
}

/** The text of a table cell. */
export function chartCellText(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
