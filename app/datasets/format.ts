/** What a dataset can come in as. */
export const dataFormats = ['csv', 'json', 'jsonl', 'parquet'] as const

export type DataFormat = (typeof dataFormats)[number]

/** What can be taken of a version: the file as it was given, or made anew. */
export const fileFormats = ['original', ...dataFormats] as const

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
export const mediaTypes: Record<DataFormat, string> = {
  csv: 'text/csv; charset=utf-8; header=present',
  json: 'application/json; charset=utf-8',
  jsonl: 'application/x-ndjson; charset=utf-8',
  parquet: 'application/vnd.apache.parquet',
}
