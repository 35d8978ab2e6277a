import { GUARD_NOTE } from '#app/platform/formula-guard.ts'

/** What a dataset can come in as. */
export const dataFormats = ['csv', 'json', 'jsonl', 'parquet'] as const

export type DataFormat = (typeof dataFormats)[number]

/** What a version can be written as. `csv` is for spreadsheets: no cell of it runs as a formula. `csv-raw` is for programs: its values are as they are. */
export const madeFormats = ['csv', 'csv-raw', 'json', 'jsonl', 'parquet'] as const

export type MadeFormat = (typeof madeFormats)[number]

/** What can be downloaded of a version: the file as it was uploaded, byte for byte, or one that is made of its rows. */
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

/** By the end of its name; undefined when that says nothing. */
export function formatOf(fileName: string): DataFormat | undefined {
  return EXTENSIONS[fileName.split('.').at(-1)?.toLowerCase() ?? '']
}

/** As HTTP calls them. */
export const mediaTypes: Record<MadeFormat, string> = {
  csv: 'text/csv; charset=utf-8; header=present',
  'csv-raw': 'text/csv; charset=utf-8; header=present',
  json: 'application/json; charset=utf-8',
  jsonl: 'application/x-ndjson; charset=utf-8',
  parquet: 'application/vnd.apache.parquet',
}

/** What a file of a version is called where it is kept by who took it. */
export function fileNameOf(
  slug: string,
  { number, originalFormat }: { number: number; originalFormat: DataFormat },
  format: FileFormat,
): string {
  if (format === 'original') return `${slug}-v${number}-original.${originalFormat}`
  return `${slug}-v${number}${format === 'csv-raw' ? '-raw.csv' : `.${format}`}`
}

/** The format that is meant where `raw=1` says that values have to come as they are. */
export function rawOf(format: FileFormat, raw: '0' | '1' | undefined): FileFormat {
  return format === 'csv' && raw === '1' ? 'csv-raw' : format
}

const RAW_NOTE = 'Values are as they are. A spreadsheet may run cells that begin with = + - @ as formulas.'

/** What the header `CSV-Note` says of a file; undefined for what is no CSV. */
export function csvNoteOf(format: FileFormat, originalFormat?: DataFormat): string | undefined {
  if (format === 'csv') return `${GUARD_NOTE} raw=1 leaves them as they are.`
  return format === 'csv-raw' || (format === 'original' && originalFormat === 'csv') ? RAW_NOTE : undefined
}
