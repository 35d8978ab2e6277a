import type { ProductDetail } from '#app/datasets/catalog/product.ts'
import { bytesInWords } from '#app/ui/amount.ts'
import { cx } from '#app/ui/class-names.ts'
import { FoldedSection } from './part.tsx'
import { countInWords, dayInWords } from './words.ts'

/** These take the full width of a narrow page. */
const SENTENCES: ReadonlySet<string> = new Set(['Update frequency', 'Source', 'Lawful basis'])

/** What a dataset is in full, after its first rows. */
export function AboutDataset({ detail }: { detail: ProductDetail }) {
  return (
    <FoldedSection id="about" title="About this dataset">
      {detail.about && <p className="max-w-[68ch] whitespace-pre-line wrap-anywhere in-[.workspace]:text-small">{detail.about}</p>}
      <DatasetFacts detail={detail} />
    </FoldedSection>
  )
}

/** The size, freshness, source and license of a dataset. */
function DatasetFacts({ detail }: { detail: ProductDetail }) {
  const { rows, bytes, columns, updatedAt, updateFrequency, source, licence, licenceUrl, lawfulBasis, versions } = detail
  const current = versions.find(({ isCurrent }) => isCurrent)
  const facts: [string, React.ReactNode][] = [
    ['Rows', updatedAt && countInWords(rows)],
    ['Columns', columns.length > 0 && columns.length],
    ['Size', updatedAt && `${bytesInWords(bytes)} as Parquet`],
    ['Updated', updatedAt && <time dateTime={updatedAt}>{dayInWords(updatedAt)}</time>],
    ['Update frequency', updateFrequency],
    ['Version', current?.number],
    ['License', licenceUrl ? <Licence name={licence || licenceUrl} url={licenceUrl} /> : licence],
    ['Source', source],
    ['Lawful basis', lawfulBasis],
  ]
  return (
    <dl className="grid grid-cols-2 gap-x-6 sm:grid-cols-3 lg:grid-cols-5 lg:gap-x-8 gap-y-5 border-y border-line py-6 in-[.workspace]:gap-y-2 in-[.workspace]:py-3">
      {facts
        .filter(([, fact]) => Boolean(fact))
        .map(([name, fact]) => (
          <div key={name} className={cx('grid content-start gap-0.5', SENTENCES.has(name) && 'col-span-2 lg:col-span-1')}>
            <dt className="text-fine text-muted">{name}</dt>
            <dd className="text-small font-medium wrap-anywhere">{fact}</dd>
          </div>
        ))}
    </dl>
  )
}

function Licence({ name, url }: { name: string; url: string }) {
  return (
    <a href={url} rel="license noopener" className="link">
      {name}
    </a>
  )
}
