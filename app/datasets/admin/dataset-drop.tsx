import { MOST_UPLOAD } from '#app/datasets/import/upload.ts'
import { formatOf } from '#app/datasets/catalog/format.ts'
import { bytesInWords } from '#app/ui/amount.ts'
import { FileDrop } from '#app/ui/file-drop.tsx'
import { toast } from '#app/ui/toast.ts'

const ACCEPT = '.csv,.tsv,.txt,.json,.jsonl,.ndjson,.parquet'

type DatasetDropProps = { label: string; verb?: string; busy?: boolean; take: (file: File) => void; children?: React.ReactNode }

/** A file picker and drop target. A file that cannot be read is refused before it is sent. */
export function DatasetDrop({ label, verb = 'Choose a file', busy = false, take, children }: DatasetDropProps) {
  return (
    <FileDrop
      label={label}
      accept={ACCEPT}
      verb={verb}
      busy={busy}
      take={(files) => {
        const [file] = files ?? []
        if (!file || busy) return
        const refusal = refusalOf(file)
        if (refusal) toast({ title: 'This file cannot be uploaded', description: refusal, look: 'danger' })
        else take(file)
      }}
    >
      {children ?? <p className="text-small text-muted">Or drop one here: CSV, JSON, JSONL or Parquet, up to 2 GB.</p>}
    </FileDrop>
  )
}

function refusalOf({ name, size }: File): string | undefined {
  if (!formatOf(name)) return `${name} is not a CSV, JSON, JSONL or Parquet file.`
  if (size === 0) return `${name} is empty.`
  return size > MOST_UPLOAD ? `${name} has ${bytesInWords(size)}. The maximum is 2 GB.` : undefined
}
