import { GUARD_NOTE } from '#app/platform/tables/formula-guard.ts'

/** The formats of uploads. */
export const dataFormats = ['csv', 'json', 'jsonl', 'parquet'] as const

export type DataFormat = (typeof dataFormats)[number]

/**
 * The formats of generated files. `csv` is for spreadsheets: no cell runs as a formula. `csv-raw` is for programs: values are unchanged.
 */
export const madeFormats = ['csv', 'csv-raw', 'json', 'jsonl', 'parquet', 'xlsx'] as const

export type MadeFormat = (typeof madeFormats)[number]

/** The formats of downloads: the original file, byte for byte, or one generated from its rows. */
export const fileFormats = ['original', ...madeFormats] as const

export type FileFormat = (typeof fileFormats)[number]

const EXTENSIONS: Record<string, DataFormat> = {
  csv: 'csv',
  tsv: 'csv',
  txt: 'csv',
  json: 'json',
  jsonl: 'jsonl',
  ndjson: 'jsonl',
  parquet: 'parquet',
}

/** By file extension; undefined if that is unknown. */
export function formatOf(fileName: string): DataFormat | undefined {
  return EXTENSIONS[fileName.split('.').at(-1)?.toLowerCase() ?? '']
}

export const mediaTypes: Record<MadeFormat, string> = {
  csv: 'text/csv; charset=utf-8; header=present',
  'csv-raw': 'text/csv; charset=utf-8; header=present',
  json: 'application/json; charset=utf-8',
  jsonl: 'application/x-ndjson; charset=utf-8',
  parquet: 'application/vnd.apache.parquet',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}

/** The suggested file name of a download. */
export function fileNameOf(
  slug: string,
  { number, originalFormat }: { number: number; originalFormat: DataFormat },
  format: FileFormat,
): string {
  if (format === 'original') return `${slug}-v${number}-original.${originalFormat}`
  return `${slug}-v${number}${format === 'csv-raw' ? '-raw.csv' : `.${format}`}`
}

/** The raw format where `raw=1` asks for unchanged values. */
export function rawOf(format: FileFormat, raw: '0' | '1' | undefined): FileFormat {
  return format === 'csv' && raw === '1' ? 'csv-raw' : format
}

const RAW_NOTE = 'Values are unchanged. A spreadsheet may run cells that begin with = + - @ as formulas.'

/** The value of the `CSV-Note` header; undefined for formats other than CSV. */
export function csvNoteOf(format: FileFormat, originalFormat?: DataFormat): string | undefined {
  if (format === 'csv') return `${GUARD_NOTE} raw=1 leaves them unchanged.`
  return format === 'csv-raw' || (format === 'original' && originalFormat === 'csv') ? RAW_NOTE : undefined
}
