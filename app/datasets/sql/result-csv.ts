import type { QueryResult } from './query.ts'
import { guarded } from '#app/platform/formula-guard.ts'
import { chartCellText } from './chart-series.ts'

/** A result as CSV for spreadsheets. Texts that would run as formulas get an apostrophe; numbers stay numbers. */
export function toCsv({ columns, rows }: Pick<QueryResult, 'columns' | 'rows'>): string {
  const head = columns.map(({ name }) => quoted(name))
  const lines = rows.map((row) => row.map((value, index) => cell(value, columns[index]?.type)))
  return [head, ...lines].map((line) => `${line.join(',')}\r\n`).join('')
}

function cell(value: unknown, type: string | undefined): string {
  const text = chartCellText(value)
  const isNumber = typeof value === 'number' || ((type === 'number' || type === 'integer') && text !== '' && Number.isFinite(Number(text)))
  return isNumber ? text : quoted(text)
}

function quoted(text: string): string {
  if (text === '') return ''
  return `"${guarded(text).replaceAll('"', '""')}"`
}
