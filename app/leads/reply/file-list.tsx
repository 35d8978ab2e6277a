import { FileTextIcon, Trash2Icon } from 'lucide-react'
import { fileTypeLabel } from './file-type.ts'
import { bytesInWords } from '#app/ui/amount.ts'
import type { LeadFile } from './message.ts'
import { fileUrl } from './use-reply.tsx'

const origins: Record<LeadFile['source'], string> = { email: 'received', reply: 'sent', visitor: 'from the visitor', staff: 'added' }

type FileListProps = {
  /** The accessible name of the list. */
  label: string
  files: readonly LeadFile[]
  showsOrigin?: boolean
  /** Files that it accepts get a button that calls it. */
  remove?: { accepts: (file: LeadFile) => boolean; act: (file: LeadFile) => void }
}

/** Files with their size and type, each a download. */
export function LeadFileList({ label, files, showsOrigin = false, remove }: FileListProps) {
  if (files.length === 0) return null
  return (
    <ul aria-label={label} className="divide-y divide-line text-small">
      {files.map((file) => (
        <li key={file.id} className="flex items-center gap-2 py-1.5">
          <FileTextIcon aria-hidden="true" className="size-4 shrink-0 text-muted" />
          <span className="grid min-w-0 grow">
            <a href={fileUrl(file.id)} download className="link truncate">
              {file.name}
            </a>
            <span className="truncate text-fine text-muted">
              {[fileTypeLabel(file.type), bytesInWords(file.size), showsOrigin && origins[file.source]].filter(Boolean).join(' · ')}
            </span>
          </span>
          {remove?.accepts(file) && (
            <button
              type="button"
              aria-label={`Remove ${file.name}`}
              onClick={() => remove.act(file)}
              className="grid size-8 shrink-0 place-items-center rounded-control text-muted hover:bg-sunken hover:text-ink pointer-coarse:size-11"
            >
              <Trash2Icon aria-hidden="true" className="size-4" />
            </button>
          )}
        </li>
      ))}
    </ul>
  )
}
