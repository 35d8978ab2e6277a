import type { QueryResult } from '#app/query-process/query.ts'
import { guarded } from '#app/platform/formula-guard.ts'
import { cellText } from './chart-series.ts'

/** A result as a file for spreadsheets. A text that one would run as a formula carries an apostrophe; numbers stay numbers. */
export function toCsv({ columns, rows }: Pick<QueryResult, 'columns' | 'rows'>): string {
  const head = columns.map(({ name }) => quoted(name))
  const lines = rows.map((row) => row.map((value, index) => cell(value, columns[index]?.type)))
  return [head, ...lines].map((line) => `${line.join(',')}\r\n`).join('')
}

function cell(value: unknown, type: string | undefined): string {
  const text = cellText(value)
  const isNumber = typeof value === 'number' || ((type === 'number' || type === 'integer') && text !== '' && Number.isFinite(Number(text)))
  return isNumber ? text : quoted(text)
}

function quoted(text: string): string {
  if (text === '') return ''
  return `"${guarded(text).replaceAll('"', '""')}"`
}
