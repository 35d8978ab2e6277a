import { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { isFormula } from './formula-guard.ts'
import { type SheetCell, writeXlsx } from './xlsx.server.ts'

/** Columns of an export that are numbers or moments, by their heads. All others are text. */
const numbers = new Set(['Value', 'Hits', 'Priority'])
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?Z$/
/** A number that a double holds. */
const NUMBER = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,6})?$/

/** The CSV file of one of our exports as an Excel workbook: the same rows, without the apostrophes that a sheet does not need. */
export function asXlsx(csv: Readable): Readable {
  return Readable.from(convert(csv), { objectMode: false })
}

async function* convert(csv: Readable): AsyncGenerator<Buffer> {
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

/** The cells of each line. Our exports quote every cell that needs it, as RFC 4180 says. */
async function* readLines(csv: Readable): AsyncGenerator<string[]> {
  const decoder = new StringDecoder('utf8')
  let [line, cell, quoted, wasQuote]: [string[], string, boolean, boolean] = [[], '', false, false]
  const take = function* (text: string) {
    for (const part of text.split(/(["\r\n,])/)) {
      if (part === '') continue
      if (part === '"') {
        // Two quotes are one, and the cell goes on.
        if (!quoted && wasQuote) cell += '"'
        wasQuote = quoted
        quoted = !quoted
        continue
      }
      wasQuote = false
      if (quoted || !/^[\r\n,]$/.test(part)) cell += part
      else if (part !== '\r') {
        line.push(cell)
        cell = ''
        if (part === '\n') {
          yield line
          line = []
        }
      }
    }
  }
  let isFirst = true
  for await (const chunk of csv) {
    const text = typeof chunk === 'string' ? chunk : decoder.write(chunk)
    yield* take(isFirst ? text.replace(/^\uFEFF/, '') : text)
    isFirst = false
  }
  if (cell !== '' || line.length > 0) yield [...line, cell]
}
