import { formatOf } from '#app/datasets/catalog/format.ts'
import { MOST_UPLOAD } from '#app/datasets/import/upload.ts'
import { bytesInWords } from '#app/ui/amount.ts'

export const DATASET_FILES = '.csv,.tsv,.txt,.json,.jsonl,.ndjson,.parquet'
export const DATASET_HINT = 'CSV, JSON, JSONL or Parquet, up to 2 GB. Customers see nothing of it until you publish it.'

/** Why a file cannot be read, before it is sent. */
export function refusalOf({ name, size }: File): string | undefined {
  if (!formatOf(name)) return `${name} is not a CSV, JSON, JSONL or Parquet file.`
  if (size === 0) return `${name} is empty.`
  return size > MOST_UPLOAD ? `${name} has ${bytesInWords(size)}. The maximum is 2 GB.` : undefined
}
