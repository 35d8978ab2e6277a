import { priceInWords } from '#app/datasets/catalog/price.ts'
import { chargedWords, includesWords } from '#app/datasets/catalog/offer.ts'
import type { ProductDetail } from '#app/datasets/catalog/product.ts'
import { countOf } from '#app/ui/amount.ts'
import { moneyText } from '#app/platform/text/money.ts'
import { Card } from '#app/ui/card.tsx'
import { currencies, hasTaxAdded, writtenForm } from '#app/platform/text/written-form.ts'
import { rowsInWords } from './words.ts'

/** The price, what it includes, and the buttons. */
export function OfferCard({ detail, children }: { detail: ProductDetail; children: React.ReactNode }) {
  const plusTax = hasTaxAdded() ? ', plus tax' : ''
  return (
    <Card as="section" aria-labelledby="offer" className="grid gap-4 in-[.workspace]:gap-3">
      <div>
        <h2 id="offer" className="font-mono text-h2 leading-tight in-[.workspace]:text-h3 font-medium tracking-tight tabular-nums">
          {priceInWords(detail.price)}
        </h2>
        <p className="text-small text-muted">
          {detail.isFree
            ? 'for everyone with a confirmed account'
            : `${capitalized(currencies[writtenForm().currency])}, one-time payment${plusTax}`}
        </p>
      </div>
      <ul className="grid gap-1.5 text-small">
        {whatOneGets(detail).map((line) => (
          <li key={line} className="flex gap-2.5">
            <span aria-hidden="true" className="mt-2 size-1.5 in-[.workspace]:mt-1.75 shrink-0 rounded-full bg-grain" />
            {line}
          </li>
        ))}
      </ul>
      {detail.offers.length > 1 && (
        <p className="text-small text-muted">
          Or{' '}
          {detail.offers
            .slice(1)
            .map(({ amount, currency, charged }) => `${moneyText(amount, currency)} ${chargedWords[charged]}`)
            .join(', ')}
          {plusTax}
        </p>
      )}
      {children}
    </Card>
  )
}

function whatOneGets({ rows, columns, downloadUrl, apiEndpoint, updatedAt, isFree, offers }: ProductDetail): string[] {
  const lines = [
    updatedAt && `${rowsInWords(rows)}, ${countOf(columns.length, 'column', 'columns')}`,
    downloadUrl && 'CSV, Excel, JSON, JSONL and Parquet files, complete or filtered',
    apiEndpoint && 'Data API with filters, sorting, paging and version changes',
    updatedAt && 'SQL queries in the browser',
    updatedAt && (isFree ? 'All future versions' : offers[0] && includesWords[offers[0].includes]),
    !updatedAt && 'First version in preparation',
  ]
  return lines.flatMap((line) => line || [])
}

function capitalized(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1)
}
