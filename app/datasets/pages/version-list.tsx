import type { PublicVersion } from '#app/datasets/catalog/version.ts'
import { bytesInWords } from '#app/ui/amount.ts'
import { Badge } from '#app/ui/badge.tsx'
import { differenceInWords } from './difference.ts'
import { dayInWords, rowsInWords } from './words.ts'

/** All published versions, newest first, with their changes. */
export function VersionList({ versions }: { versions: readonly PublicVersion[] }) {
  return (
    <ol className="grid grid-cols-1 divide-y divide-line border-y border-line" reversed>
      {versions.map(({ number, changes, rows, bytes, publishedAt, isCurrent, difference }) => (
        <li key={number} className="grid gap-x-8 gap-y-1 py-4 sm:grid-cols-[10rem_minmax(0,1fr)]">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1 sm:grid sm:content-start sm:justify-items-start">
            <h3 className="text-small">Version {number}</h3>
            <time dateTime={publishedAt} className="font-mono text-fine text-muted">
              {dayInWords(publishedAt)}
            </time>
            {isCurrent && <Badge look="leaf">Current</Badge>}
          </div>
          <div className="grid content-start gap-1 text-small">
            {changes && <p className="whitespace-pre-line wrap-anywhere">{changes}</p>}
            {difference && <p className="text-muted wrap-anywhere">{differenceInWords(difference)}</p>}
            <p className="font-mono text-fine text-muted">
              {rowsInWords(rows)} · {bytesInWords(bytes)}
            </p>
          </div>
        </li>
      ))}
    </ol>
  )
}
