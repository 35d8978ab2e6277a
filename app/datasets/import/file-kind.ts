import type { DataFormat } from '#app/datasets/catalog/format.ts'

const ZIP = 'This is an Excel workbook or an archive. Export it as CSV and upload that.'

const PACKED = 'This file is compressed. Unpack it first.'

/** The first bytes of files that are often mistaken for data, with what they are and what to do. */
const strangers: [start: string, sentence: string][] = [
  ['PK\u0003\u0004', ZIP],
  ['PK\u0005\u0006', ZIP],
  ['\u00d0\u00cf\u0011\u00e0', 'This is an Excel workbook. Export it as CSV and upload that.'],
  ['\u001f\u008b', 'This file is compressed with gzip. Unpack it first.'],
  ['BZh', PACKED],
  ['7z\u00bc\u00af', PACKED],
  ['Rar!\u001a', PACKED],
  ['\u00fd7zXZ', PACKED],
  ['\u0028\u00b5\u002f\u00fd', PACKED],
  ['%PDF-', 'This is a PDF. Upload the data as CSV, JSON, JSONL or Parquet.'],
  ['SQLite format 3', 'This is an SQLite database. Export its table as CSV.'],
]

const MARKUP = /^[\s\u00ef\u00bb\u00bf]*<(!doctype|html|\?xml|head|body)/i

const PARQUET = 'PAR1'

/** By the first bytes, one character each: why a file does not match its extension; undefined if it may. */
export function findStranger(start: string, format: DataFormat): string | undefined {
  if (start.length === 0) return 'This file is empty.'
  const isParquet = start.startsWith(PARQUET)
  if (isParquet && format !== 'parquet') return 'This is a Parquet file. Its name must end in .parquet.'
  const [, sentence] = strangers.find(([beginning]) => start.startsWith(beginning)) ?? []
  if (sentence) return sentence
  if (MARKUP.test(start)) return 'This is a web page or XML, not CSV or JSON.'
  return format === 'parquet' && !isParquet ? 'This is not a Parquet file.' : undefined
}
