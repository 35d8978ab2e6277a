import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod/mini'
import { column } from '#app/datasets/catalog/column.ts'
import { type DataFormat, dataFormats } from '#app/datasets/catalog/format.ts'
import { columnReading, gate } from '#app/datasets/catalog/version.ts'
import { loadCsv } from './csv.server.ts'
import { compare, keptTypes } from './difference.server.ts'
import { loadJson, loadJsonLines } from './json.server.ts'
import { profile } from './profile.server.ts'
import { asUtf8, startOf } from './text-file.server.ts'
import { Unreadable } from './unreadable.ts'
import { type ImportDatabase, named, openWorkbench, sqlLiteral } from './import-database.server.ts'
import type { Loaded } from './loaded.server.ts'
import type { ReadDataset } from './read-dataset.ts'
import type { EarlierColumn } from './text-column.server.ts'
import { propertyOf } from '#app/platform/errors/property.ts'
import { numberText } from '#app/platform/text/english-number.ts'

const previous = z.object({
  number: z.number(),
  file: z.string(),
  columns: z.array(z.pick(column, { name: true, type: true, fillRate: true })),
})

const columnReadings = z.optional(z.record(z.string(), columnReading))

/** A file to import. All files are local; `folder` is for this import only. */
export const readingOrder = z.object({
  source: z.string(),
  format: z.enum(dataFormats),
  folder: z.string(),
  previous: z.optional(previous),
  /** The names that staff gave to columns, by their place from 1. */
  names: z.optional(z.record(z.string(), z.string())),
  readings: z.optional(z.object({ chosen: columnReadings, before: columnReadings })),
  gate,
})

export type ReadingOrder = z.infer<typeof readingOrder>

/** `share` is the progress of the step, from 0 to 1. */
export type ImportProgressReport = (step: 'reading' | 'profiling' | 'comparing', share: number) => void

const REPORT_MS = 500

/** Converts a file to Parquet and profiles it. Throws `Unreadable` if it is no table. */
export async function readDataset(order: ReadingOrder, report: ImportProgressReport = () => undefined): Promise<ReadDataset> {
  const { source, format, folder } = order
  const stranger = findStranger(await startOf(source), format)
  if (stranger) throw new Unreadable(stranger)
  const reads = [path.dirname(source), ...(order.previous ? [path.dirname(order.previous.file)] : [])]
  const bench = await openWorkbench(folder, reads)
  let step: Parameters<ImportProgressReport>[0] = 'reading'
  // A profile takes many queries, so it reports its own progress.
  const timer = setInterval(() => step !== 'profiling' && report(step, Math.max(0, bench.percentage()) / 100), REPORT_MS)
  try {
    const file = path.join(folder, 'data.parquet')
    const loaded = await load(bench, order, file)
    report((step = 'profiling'), 0)
    const { formulas, ...found } = await profile(bench, file, loaded.columns, (share) => report(step, share))
    const duplicates = await countDuplicates(bench, file, loaded.columns, order.gate.unique ?? [])
    report((step = 'comparing'), 0)
    const changed = order.previous ? await compare(bench, file, loaded.columns, order.previous) : null
    const notes =
      formulas > 0 ? [...loaded.notes, `${numberText(formulas)} cells look like formulas. Their values are unchanged.`] : loaded.notes
    const { refusedRows, refusals, readings, offers } = loaded
    return { file, ...(await sumOf(file)), refusedRows, refusals, readings, offers, ...found, duplicates, difference: changed, notes }
  } catch (error) {
    if (!/^Out of Memory/i.test(propertyOf(error, 'message'))) throw error
    throw new Unreadable('This file needs too much memory to import. Split it into several files, or remove columns.')
  } finally {
    clearInterval(timer)
    bench.close()
  }
}

async function load(
  bench: ImportDatabase,
  { source, format, folder, previous: before, names = {}, readings = {} }: ReadingOrder,
  target: string,
): Promise<Loaded> {
  if (format === 'parquet') {
    // The bundler may put this code into one file with the server's, which should not load the engine of Parquet at its start.
    const { loadParquet } = await import('./parquet.server.ts')
    return loadParquet(bench, { source, target, names })
  }
  // An array of objects may have no line break.
  const { file, notes } = await asUtf8(source, folder, { hasLines: format !== 'json' })
  const loaders = { csv: loadCsv, json: loadJson, jsonl: loadJsonLines }
  const loaded = await loaders[format](bench, { source: file, target, names, earlier: await earlierColumns(bench, before), readings })
  return { ...loaded, notes: [...loaded.notes, ...notes] }
}

/** The columns of the version before, with the types in which they are stored. */
async function earlierColumns(bench: ImportDatabase, before: ReadingOrder['previous']): Promise<Map<string, EarlierColumn>> {
  if (!before) return new Map()
  const kept = await keptTypes(bench, before.file)
  return new Map(before.columns.map((each) => [each.name, { ...each, kept: kept.get(each.name) ?? '' }]))
}

async function sumOf(file: string): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(file, { highWaterMark: 1024 * 1024 })) hash.update(chunk)
  return { bytes: (await stat(file)).size, sha256: hash.digest('hex') }
}

/** Counts, for each rule of one or more comma-separated columns, the rows that repeat earlier values; −1 if a column is missing. */
async function countDuplicates(
  bench: ImportDatabase,
  file: string,
  columns: Loaded['columns'],
  rules: readonly string[],
): Promise<Record<string, number>> {
  const known = new Set(columns.map(({ name }) => name))
  const found: [string, number][] = []
  for (const rule of rules) {
    const names = known.has(rule) ? [rule] : rule.split(',').map((name) => name.trim())
    if (!names.every((name) => known.has(name))) {
      found.push([rule, -1])
      continue
    }
    const [[count] = []] = await bench.rows(`
      SELECT count(*) - count(DISTINCT (${names.map(named).join(', ')}${names.length === 1 ? ', 1' : ''})) FROM read_parquet(${sqlLiteral(file)})`)
    found.push([rule, Number(count)])
  }
  return Object.fromEntries(found)
}

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
function findStranger(start: string, format: DataFormat): string | undefined {
  if (start.length === 0) return 'This file is empty.'
  const isParquet = start.startsWith(PARQUET)
  if (isParquet && format !== 'parquet') return 'This is a Parquet file. Its name must end in .parquet.'
  const [, sentence] = strangers.find(([beginning]) => start.startsWith(beginning)) ?? []
  if (sentence) return sentence
  if (MARKUP.test(start)) return 'This is a web page or XML, not CSV or JSON.'
  return format === 'parquet' && !isParquet ? 'This is not a Parquet file.' : undefined
}
