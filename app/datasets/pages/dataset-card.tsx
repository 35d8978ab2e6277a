import { Link } from 'react-router'
import { catalogWords } from '#app/content/datasets.ts'
import { apiDocsOf, MARKETPLACE } from '#app/datasets/catalog/addresses.ts'
import { catalogPrice } from '#app/datasets/catalog/price.ts'
import type { ListedDataset, DatasetChart } from '#app/datasets/catalog/public-catalog.server.ts'
import { shortened } from '#app/platform/text/shortened.ts'
import { buttonLook } from '#app/ui/button-look.ts'
import { Card } from '#app/ui/card.tsx'
import { HistogramDrawing } from './histogram.tsx'
import { countInWords, dayInWords } from './words.ts'

/** In characters; the page of the dataset has the whole description. */
const MOST_DESCRIPTION = 200
/** In characters: a value may be a long text. */
const MOST_VALUE = 24

/** A dataset in the public catalog: its price, a chart of its own data, its size, and the next step to get it. */
export function DatasetCard({ entry, isSignedIn }: { entry: ListedDataset; isSignedIn: boolean }) {
  const { slug, name, description, category, price, chart } = entry
  return (
    <Card as="li" className="flex min-w-0 flex-col gap-4">
      <div className="flex items-start justify-between gap-4">
        <p className="min-w-0 font-mono text-fine text-muted wrap-anywhere">{category}</p>
        <p className="shrink-0 font-mono text-small font-semibold tabular-nums">{catalogPrice(price)}</p>
      </div>
      <div className="grid gap-2">
        <h2 id={`dataset-${slug}`} className="text-h3 wrap-anywhere">
          <Link to={`${MARKETPLACE}/${slug}`} className="hover:underline">
            {name}
          </Link>
        </h2>
        <p className="text-small text-muted wrap-anywhere">{shortened(description, MOST_DESCRIPTION)}</p>
      </div>
      <div className="mt-auto grid gap-4">
        {chart && <CardChart chart={chart} />}
        <Facts entry={entry} />
        <NextSteps entry={entry} isSignedIn={isSignedIn} />
      </div>
    </Card>
  )
}

/** The caption names the column and its range, so screen readers skip the drawing. */
function CardChart({ chart }: { chart: DatasetChart }) {
  return (
    <figure className="grid grid-cols-1 gap-1.5">
      {chart.kind === 'histogram' ? <HistogramDrawing shares={chart.shares} height="h-14" /> : <ValueBars values={chart.values} />}
      <figcaption className="flex flex-wrap justify-between gap-x-4 font-mono text-[0.75rem] text-muted">
        <span className="wrap-anywhere">{chart.column}</span>
        {chart.kind === 'histogram' && (
          <span>
            {endInWords(chart.from)} – {endInWords(chart.to)}
          </span>
        )}
      </figcaption>
    </figure>
  )
}

/** A moment as its day, and a long decimal with as many digits as fit. */
function endInWords(end: string): string {
  if (/^\d{4}-\d\d-\d\dT/.test(end)) return end.slice(0, 10)
  return /^-?\d+\.\d{3,}$/.test(end) ? String(Number(Number(end).toPrecision(4))) : end
}

function ValueBars({ values }: { values: readonly { value: string; share: number }[] }) {
  return (
    <ul className="grid grid-cols-1 gap-px">
      {values.map(({ value, share }) => (
        <li key={value} className="relative px-1.5 py-px font-mono text-[0.6875rem] leading-tight">
          <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true" className="absolute inset-0 h-full w-full">
            <rect width={Math.max(1, share * 100)} height="10" className="fill-grain-wash" />
          </svg>
          <span className="relative wrap-anywhere">{shortened(value, MOST_VALUE)}</span>
        </li>
      ))}
    </ul>
  )
}

function Facts({ entry: { rows, columns, updatedAt } }: { entry: ListedDataset }) {
  if (!updatedAt) return <p className="border-t border-line pt-3 text-fine text-muted">{catalogWords.preparing}</p>
  return (
    <dl className="flex flex-wrap justify-between gap-x-4 gap-y-2 border-t border-line pt-3 text-fine">
      <Fact term={catalogWords.facts.rows}>{countInWords(rows)}</Fact>
      <Fact term={catalogWords.facts.columns}>{countInWords(columns)}</Fact>
      <Fact term={catalogWords.facts.updated}>
        <time dateTime={updatedAt}>{dayInWords(updatedAt)}</time>
      </Fact>
    </dl>
  )
}

function Fact({ term, children }: { term: string; children: React.ReactNode }) {
  return (
    <div className="grid content-start">
      <dt className="text-muted">{term}</dt>
      <dd className="font-mono font-medium tabular-nums">{children}</dd>
    </div>
  )
}

/** Both steps lead through the sign-in page where it is needed, and continue behind it. */
function NextSteps({ entry, isSignedIn }: { entry: ListedDataset; isSignedIn: boolean }) {
  const { slug, price, access, checkoutUrl, hasFile, hasApi, updatedAt } = entry
  if (!updatedAt) return null
  const page = `${MARKETPLACE}/${slug}`
  const isPaid = price > 0 && access !== 'granted'
  const paidStep = checkoutUrl
    ? { label: catalogWords.buy, to: checkoutUrl }
    : { label: catalogWords.requestAccess, to: `${page}#request-access` }
  const step = isPaid ? paidStep : { label: catalogWords.download, to: `${page}#files` }
  const to = isSignedIn ? step.to : `/login?next=${encodeURIComponent(step.to)}`
  return (
    <div className="flex flex-wrap gap-2">
      {(hasFile || isPaid) && (
        <Link to={to} aria-describedby={`dataset-${slug}`} className={buttonLook('quiet', 'small')}>
          {step.label}
        </Link>
      )}
      {hasApi && (
        <Link to={apiDocsOf(slug)} aria-describedby={`dataset-${slug}`} className={buttonLook('quiet', 'small')}>
          {catalogWords.api}
        </Link>
      )}
    </div>
  )
}
