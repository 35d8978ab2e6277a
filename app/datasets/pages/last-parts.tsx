import { Link } from 'react-router'
import type { ProductDetail } from '#app/datasets/catalog/product.ts'
import { MARKETPLACE } from '#app/datasets/catalog/addresses.ts'
import { catalogPrice } from '#app/datasets/catalog/price.ts'
import { Card } from '#app/ui/card.tsx'
import type { VersionDifference, PublicVersion } from '#app/datasets/catalog/version.ts'
import { bytesInWords } from '#app/ui/amount.ts'
import { Badge } from '#app/ui/badge.tsx'
import { DatasetSection, FoldedSection } from './part.tsx'
import { dayInWords, rowsInWords } from './words.ts'

/** All published versions, newest first, with their changes. */
export function Versions({ versions }: { versions: readonly PublicVersion[] }) {
  if (versions.length === 0) return null
  return (
    <FoldedSection id="versions" title="Versions">
      <ol className="grid grid-cols-1 divide-y divide-line border-y border-line" reversed>
        {versions.map((version) => (
          <Version key={version.number} version={version} />
        ))}
      </ol>
    </FoldedSection>
  )
}

function Version({ version }: { version: PublicVersion }) {
  const { number, changes, rows, bytes, publishedAt, isCurrent, difference } = version
  return (
    <li className="grid gap-x-8 gap-y-1 py-4 sm:grid-cols-[10rem_minmax(0,1fr)]">
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
  )
}

export function Related({ related }: { related: ProductDetail['related'] }) {
  if (related.length === 0) return null
  return (
    <DatasetSection id="related" title="Related datasets">
      <ul className="grid grid-cols-1 gap-5 max-sm:gap-3 sm:grid-cols-2 lg:grid-cols-3">
        {related.map(({ slug, name, description, price }) => (
          <Card as="li" key={slug} className="relative grid content-start gap-2">
            <p className="font-mono text-small tabular-nums">{catalogPrice(price)}</p>
            <h3 className="text-h3">
              <Link to={`${MARKETPLACE}/${slug}`} className="after:absolute after:inset-0 hover:underline">
                {name}
              </Link>
            </h3>
            <p className="text-small text-muted wrap-anywhere max-sm:line-clamp-2">{description}</p>
          </Card>
        ))}
      </ul>
    </DatasetSection>
  )
}

/** `Compared with version 1: 500 rows added, 3 rows removed; new columns: note.` */
function differenceInWords(difference: VersionDifference): string {
  const { previous, addedRows, removedRows, addedColumns, removedColumns, changedTypes } = difference
  const rows = [addedRows > 0 && `${rowsInWords(addedRows)} added`, removedRows > 0 && `${rowsInWords(removedRows)} removed`]
  const said = [
    rows.filter(Boolean).join(', ') || 'same rows',
    addedColumns.length > 0 && `new columns: ${addedColumns.join(', ')}`,
    removedColumns.length > 0 && `removed columns: ${removedColumns.join(', ')}`,
    changedTypes.length > 0 && `changed types: ${changedTypes.join(', ')}`,
  ]
  return `Compared with version ${previous}: ${said.filter(Boolean).join('; ')}.`
}
