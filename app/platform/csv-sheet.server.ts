import { Readable } from 'node:stream'
import { parse } from 'csv-parse'
import { z } from 'zod'
import { isFormula } from './formula-guard.ts'
import { type SheetCell, writeXlsx } from './xlsx.ts'

/** Columns of an export that are numbers or moments, by their heads. All others are text. */
const numbers = new Set(['Value', 'Hits', 'Priority'])
const cells = z.array(z.string())
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?Z$/
/** A number that a double holds. */
const NUMBER = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,6})?$/

/** The CSV file of one of our exports as an Excel workbook: the same rows, without the apostrophes that a sheet does not need. */
export function asXlsx(csv: Readable): Readable {
  return Readable.from(convert(csv), { objectMode: false })
}

async function* convert(csv: Readable): AsyncGenerator<Uint8Array> {
  const lines = readLines(csv)
  const first = await lines.next()
  const head = first.done ? [] : first.value
  yield* writeXlsx(head, typed(lines, head))
}

async function* typed(lines: AsyncIterable<string[]>, head: readonly string[]): AsyncGenerator<SheetCell[]> {
  for await (const line of lines) yield line.map((text, at) => toCell(text, head[at] ?? ''))
}

function toCell(text: string, head: string): SheetCell {
  if (numbers.has(head) && NUMBER.test(text)) return Number(text)
  if (/ At$|^At$|^Due$/.test(head) && MOMENT.test(text)) return { date: text, hasTime: true }
  return text.startsWith("'") && isFormula(text.slice(1)) ? text.slice(1) : text
}

/** The cells of each line. */
async function* readLines(csv: Readable): AsyncGenerator<string[]> {
  const records = csv.compose(parse({ bom: true, relax_column_count: true }))
  for await (const record of records) yield cells.parse(record)
}
