import { Link } from 'react-router'
import { MARKETPLACE } from '#app/datasets/catalog/addresses.ts'
import { catalogPrice } from '#app/datasets/catalog/price.ts'
import type { DataProduct } from '#app/datasets/catalog/product.ts'
import { DataTable, rowLink } from '#app/ui/admin/data-table.tsx'
import { type TableColumn, useTable } from '#app/ui/admin/use-table.ts'
import { bytesInWords } from '#app/ui/amount.ts'
import { Badge } from '#app/ui/badge.tsx'
import { PayLink, TakeButtons } from './download-buttons.tsx'
import { countInWords, dayInWords } from './words.ts'

const columns: TableColumn<DataProduct>[] = [
  {
    key: 'name',
    head: 'Dataset',
    view: ({ id, slug, name, description }) => (
      <h2 id={id} className="truncate font-sans text-small tracking-normal">
        <Link to={`${MARKETPLACE}/${slug}`} title={description} className={rowLink}>
          {name}
        </Link>
      </h2>
    ),
  },
  {
    key: 'description',
    head: 'Description',
    from: 'huge',
    view: ({ description }) => (
      <span title={description} className="text-muted">
        {description}
      </span>
    ),
  },
  { key: 'category', head: 'Category', width: '10rem', from: 'large', view: ({ category }) => <Badge>{category}</Badge> },
  { key: 'price', head: 'Price', width: '9rem', kind: 'number', view: ({ price }) => catalogPrice(price) },
  { key: 'rows', head: 'Rows', width: '6.5rem', from: 'medium', kind: 'number', view: ({ rows }) => countInWords(rows) },
  { key: 'size', head: 'Size', width: '6rem', from: 'huge', isExtra: true, kind: 'number', view: ({ bytes }) => bytesInWords(bytes) },
  {
    key: 'updated',
    head: 'Updated',
    width: '7.5rem',
    from: 'large',
    kind: 'data',
    view: ({ updatedAt }) => (updatedAt ? <time dateTime={updatedAt}>{dayInWords(updatedAt)}</time> : 'No data yet'),
  },
  { key: 'get', head: 'Get', width: '14rem', from: 'medium', view: (product) => <Take product={product} /> },
]

/** The same datasets as the cards, one in a line. */
export function ProductTable({ products }: { products: DataProduct[] }) {
  const table = useTable({ name: 'marketplace', columns, rows: products })
  return <DataTable table={table} caption="Datasets" nameOf={({ name }) => name} renderNarrow={(product) => <Take product={product} />} />
}

/** Above the link of the row, which covers it. */
function Take({ product }: { product: DataProduct }) {
  return (
    <span className="relative z-1 flex gap-1.5 [&>*]:min-h-7 [&>*]:px-2 [&>*]:text-fine pointer-coarse:[&>*]:min-h-11">
      {product.access === 'pay' && <PayLink product={product} />}
      <TakeButtons product={product} describedBy={product.id} />
    </span>
  )
}
