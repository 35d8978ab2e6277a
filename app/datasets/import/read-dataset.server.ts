import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod/mini'
import { column } from '#app/datasets/catalog/column.ts'
import { dataFormats } from '#app/datasets/catalog/format.ts'
import { difference, gate, refusal } from '#app/datasets/catalog/version.ts'
import { loadCsv } from './csv.server.ts'
import { compare } from './difference.server.ts'
import { findStranger } from './file-kind.ts'
import { loadJson, loadJsonLines } from './json.server.ts'
import { loadParquet } from './parquet.server.ts'
import { profile } from './profile.server.ts'
import { asUtf8, startOf } from './text-file.server.ts'
import { countDuplicates } from './duplicates.server.ts'
import { Unreadable } from './unreadable.ts'
import { openWorkbench, type ImportDatabase } from './import-database.server.ts'

const previous = z.object({ number: z.number(), file: z.string(), columns: z.array(z.pick(column, { name: true, type: true })) })

/** A file to import. All files are local; `folder` is for this import only. */
export const readingOrder = z.object({
  source: z.string(),
  format: z.enum(dataFormats),
  folder: z.string(),
  previous: z.optional(previous),
  gate,
})

export type ReadingOrder = z.infer<typeof readingOrder>

/** The result; the Parquet file is in the folder as `file`. */
export const readDatasetResult = z.object({
  file: z.string(),
  bytes: z.number(),
  sha256: z.string(),
  rows: z.number(),
  refusedRows: z.number(),
  refusals: z.array(refusal),
  columns: z.array(column),
  firstRows: z.array(z.record(z.string(), z.unknown())),
  /** Duplicate rows by uniqueness check. */
  duplicates: z.record(z.string(), z.number()),
  difference: z.nullable(difference),
  notes: z.array(z.string()),
})

export type ReadDataset = z.infer<typeof readDatasetResult>

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
  const timer = setInterval(() => report(step, Math.max(0, bench.percentage()) / 100), REPORT_MS)
  try {
    const file = path.join(folder, 'data.parquet')
    const loaded = await load(bench, order, file)
    report((step = 'profiling'), 0)
    const { formulas, ...found } = await profile(bench, file, loaded.columns)
    const duplicates = await countDuplicates(bench, file, loaded.columns, order.gate.unique ?? [])
    report((step = 'comparing'), 0)
    const changed = order.previous ? await compare(bench, file, loaded.columns, order.previous) : null
    const notes =
      formulas > 0
        ? [...loaded.notes, `${formulas.toLocaleString('en')} cells look like formulas. Their values are unchanged.`]
        : loaded.notes
    const { refusedRows, refusals } = loaded
    return { file, ...(await sumOf(file)), refusedRows, refusals, ...found, duplicates, difference: changed, notes }
  } finally {
    clearInterval(timer)
    bench.close()
  }
}

async function load(bench: ImportDatabase, { source, format, folder }: ReadingOrder, target: string) {
  if (format === 'parquet') return loadParquet(bench, source, target)
  const { file, note } = await asUtf8(source, folder)
  const loaders = { csv: loadCsv, json: loadJson, jsonl: loadJsonLines }
  const loaded = await loaders[format](bench, file, target)
  return note ? { ...loaded, notes: [...loaded.notes, `The file was read as ${note}.`] } : loaded
}

async function sumOf(file: string): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(file, { highWaterMark: 1024 * 1024 })) hash.update(chunk)
  return { bytes: (await stat(file)).size, sha256: hash.digest('hex') }
}
