import { Link } from 'react-router'
import { MARKETPLACE } from '#app/datasets/catalog/addresses.ts'
import { catalogPrice } from '#app/datasets/catalog/price.ts'
import type { DataProduct } from '#app/datasets/catalog/product.ts'
import { bytesInWords, countOf } from '#app/ui/amount.ts'
import { Badge } from '#app/ui/badge.tsx'
import { Card } from '#app/ui/card.tsx'
import { cx } from '#app/ui/class-names.ts'
import { DownloadedFor, PayLink, TakeButtons } from './download-buttons.tsx'
import { dayInWords, rowsInWords } from './words.ts'
import { cellText, readSample, sampleColumns } from './sample.ts'

/** A product at a glance: description, price, first rows, and both ways to get it. */
export function ProductCard({ product }: { product: DataProduct }) {
  const { id, slug, name, description, category, price, downloadUrl, apiEndpoint, sampleData, access, isSample } = product
  return (
    <Card as="li" className="flex min-w-0 flex-col gap-4">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <p className="flex flex-wrap gap-2">
          <Badge className="max-w-full whitespace-normal">{category}</Badge>
          {isSample && <Badge>Sample</Badge>}
        </p>
        <p className="font-mono text-h3 leading-tight font-medium tabular-nums">{catalogPrice(price)}</p>
      </div>
      <div className="grid gap-2">
        <h2 id={id} className="text-h3 wrap-anywhere">
          <Link to={`${MARKETPLACE}/${slug}`} className="hover:underline">
            {name}
          </Link>
        </h2>
        <p className="text-small text-muted wrap-anywhere">{description}</p>
        <Facts product={product} />
      </div>
      <SamplePreview name={name} sampleData={sampleData} />
      <div className="mt-auto grid gap-4">
        <p className="flex flex-wrap gap-2">
          {downloadUrl && <Badge look="leaf">File Download</Badge>}
          {apiEndpoint && <Badge look="grain">API Access</Badge>}
          {!downloadUrl && !apiEndpoint && <Badge>Not published yet</Badge>}
        </p>
        <div className="flex flex-wrap gap-2">
          {access === 'pay' && <PayLink product={product} />}
          <TakeButtons product={product} describedBy={id} />
        </div>
        <DownloadedFor id={id} />
        {access === 'confirm' && <p className="text-fine text-muted">To download it, confirm your email address first.</p>}
      </div>
    </Card>
  )
}

function Facts({ product: { rows, bytes, updatedAt } }: { product: DataProduct }) {
  if (!updatedAt) return null
  return (
    <p className="flex flex-wrap gap-x-3 gap-y-1 font-mono text-fine text-muted">
      <span>{rowsInWords(rows)}</span>
      <span>{bytesInWords(bytes)}</span>
      <time dateTime={updatedAt}>{dayInWords(updatedAt)}</time>
    </p>
  )
}

const MOST_ROWS = 3
const MOST_COLUMNS = 3
/** Narrow screens show fewer columns, wide enough to read. */
const NARROW_COLUMNS = 2

/** The first rows on a card. An unreadable sample shows nothing. */
function SamplePreview({ name, sampleData }: { name: string; sampleData: string | null }) {
  const rows = readSample(sampleData)
  const columns = sampleColumns(rows)
  if (columns.length === 0) return null
  const shown = columns.slice(0, MOST_COLUMNS)
  return (
    <figure className="overflow-hidden rounded-control border border-line bg-sunken">
      <table className="w-full table-fixed border-collapse text-left font-mono text-[0.75rem] leading-relaxed">
        <caption className="sr-only">Sample of {name}</caption>
        <thead>
          <tr className="border-b border-line text-muted">
            {shown.map((column, at) => (
              <th key={column} scope="col" className={cx('truncate px-2.5 py-1.5 font-medium', at >= NARROW_COLUMNS && 'max-sm:hidden')}>
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {Array.from(rows.slice(0, MOST_ROWS), (row, at) => (
            <tr key={at} className="border-b border-line last:border-b-0">
              {shown.map((column, index) => (
                <td key={column} className={cx('truncate px-2.5 py-1', index >= NARROW_COLUMNS && 'max-sm:hidden')}>
                  {cellText(row[column])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <More columns={columns.length - shown.length} className="max-sm:hidden" />
      <More columns={columns.length - NARROW_COLUMNS} className="sm:hidden" />
    </figure>
  )
}

function More({ columns, className }: { columns: number; className: string }) {
  if (columns <= 0) return null
  return (
    <p className={cx('border-t border-line px-2.5 py-1 text-[0.75rem] text-muted', className)}>
      and {countOf(columns, 'more column', 'more columns')}
    </p>
  )
}
