import { Link } from 'react-router'
import { priceInWords } from '#app/datasets/catalog/price.ts'
import type { StaffProduct } from '#app/datasets/catalog/product.ts'
import type { ListLook } from '#app/ui/admin/list-page.tsx'
import type { Placed } from '#app/ui/admin/order.ts'
import { useView } from '#app/ui/admin/use-view.tsx'
import { withChanges } from '#app/ui/admin/view.ts'
import { bytesInWords, countOf } from '#app/ui/amount.ts'
import { ProductBadges } from './product-badges.tsx'
import { visibleProducts } from './product-view.ts'

type ProductRow = Placed<StaffProduct>

/** The list of products: its columns, filters and words. */
export const productLook: ListLook<ProductRow> = {
  name: 'products',
  caption: 'Products',
  one: 'product',
  many: 'products',
  loading: 'Loading products...',
  failed: 'Failed to fetch products',
  empty: { title: 'No products yet', text: 'Products appear here in catalog order. A new product is hidden until you publish it.' },
  none: 'No products match this search.',
  nameOf: ({ name }) => name,
  filters: [
    { key: 'q', label: 'Search', placeholder: 'Name, slug, category' },
    { key: 'show', label: 'Show', options: visibleProducts },
  ],
  columns: [
    { key: 'name', head: 'Name', view: ({ name, description }) => <span title={description}>{name}</span> },
    { key: 'state', head: 'Status', width: '16rem', from: 'medium', view: (product) => <State product={product} /> },
    { key: 'category', head: 'Category', width: '10rem', from: 'huge', view: ({ category }) => <span title={category}>{category}</span> },
    { key: 'price', head: 'Price', width: '6.5rem', from: 'medium', kind: 'number', view: ({ price }) => priceInWords(price) },
    { key: 'data', head: 'Data', width: '16rem', from: 'large', kind: 'data', view: (product) => <DataInWords product={product} /> },
    { key: 'slug', head: 'Slug', width: '12rem', from: 'huge', isExtra: true, kind: 'data', view: ({ slug }) => slug },
  ],
  renderNarrow: (product) => (
    <>
      <ProductBadges product={product} isShort />
      <span>{priceInWords(product.price)}</span>
      <DataInWords product={product} />
    </>
  ),
}

function DataInWords({ product: { currentVersion, rows, bytes } }: { product: StaffProduct }) {
  if (currentVersion === null) return <span>Nothing published yet</span>
  return (
    <span>
      Version {currentVersion}, {countOf(rows, 'row', 'rows')}, {bytesInWords(bytes)}
    </span>
  )
}

function State({ product }: { product: ProductRow }) {
  return (
    <span className="flex items-center gap-1.5">
      <Requests product={product} />
      <ProductBadges product={product} isLine />
    </span>
  )
}

/** Above the link of the row, which covers it. */
function Requests({ product: { id, openRequests } }: { product: ProductRow }) {
  const { params } = useView()
  if (openRequests === 0) return null
  return (
    <Link to={withChanges(params, { edit: id, tab: 'access' })} className="link relative z-1 font-semibold">
      {countOf(openRequests, 'request', 'requests')}
    </Link>
  )
}
