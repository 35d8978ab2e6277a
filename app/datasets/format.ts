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

/** What a file of a version is called where it is kept by who took it. */
export function fileNameOf(
  slug: string,
  { number, originalFormat }: { number: number; originalFormat: DataFormat },
  format: FileFormat,
): string {
  return format === 'original' ? `${slug}-v${number}-original.${originalFormat}` : `${slug}-v${number}.${format}`
}
