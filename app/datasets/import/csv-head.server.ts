import { CsvError, parse } from 'csv-parse/sync'
import { open } from 'node:fs/promises'
import { Unreadable } from './unreadable.ts'

/** Of two that fit equally well, the first: a comma is also part of numbers and sentences. */
const DELIMITERS = [';', '\t', '|', ',']
const HEAD_BYTES = 2 * 1024 * 1024
/** The rows that decide the delimiter, the first line included. */
const DECIDING_ROWS = 101
/** The least share of rows with as many values as the first line, so that it names columns. */
const LEAST_FITTING = 0.5

export type CsvHead = {
  names: string[]
  delimiter: string
  /** Each value stands in quotation marks, so an empty one says nothing about an empty text. */
  quotesAll: boolean
  /** Empty lines before the one that names the columns. */
  emptyLines: number
}

type Reading = Omit<CsvHead, 'emptyLines'> & { fitting: number }

/** Decides the delimiter over the first rows: the one by which most of them have as many values as the first line. */
export async function readHead(source: string): Promise<CsvHead> {
  await using handle = await open(source)
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
  const start = buffer.toString('utf8', 0, bytesRead)
  const readings = DELIMITERS.map((delimiter) => readBy(start, delimiter)).filter(({ names }) => names.length > 0)
  const tables = readings.filter(({ names, fitting }) => names.length > 1 && fitting >= LEAST_FITTING)
  const [best] = (tables.length > 0 ? tables : readings).toSorted(
    (one, other) =>
      (tables.length > 0 ? other.fitting - one.fitting : 0) || other.names.length - one.names.length || other.fitting - one.fitting,
  )
  if (!best) throw new Unreadable('The first line of this file does not name its columns.')
  return { ...best, emptyLines: /^[\r\n]*/.exec(start)?.[0].match(/\r\n|\r|\n/g)?.length ?? 0 }
}

function readBy(text: string, delimiter: string): Reading {
  const records: string[][] = []
  let unquoted = 0
  try {
    parse(text, {
      delimiter,
      to: DECIDING_ROWS,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      cast(value, { quoting }) {
        if (!quoting) unquoted += 1
        return value
      },
      on_record(record: string[]) {
        records.push(record)
        return null
      },
    })
  } catch (error) {
    // A misplaced quotation mark is told with its line when the whole file is read.
    if (!(error instanceof CsvError)) throw error
  }
  const [names = [], ...rows] = records
  const fitting = rows.filter(({ length }) => length === names.length).length / Math.max(1, rows.length)
  return { names, delimiter, quotesAll: unquoted === 0, fitting: rows.length === 0 ? 1 : fitting }
}
