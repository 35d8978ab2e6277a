import { z } from 'zod/mini'
import { SearchField } from '#app/ui/admin/search-field.tsx'
import { useStored } from '#app/ui/admin/use-table.ts'
import { useView } from '#app/ui/admin/use-view.tsx'
import { PRODUCTS } from '#app/datasets/catalog/addresses.ts'
import { dataProduct, type DataProduct } from '#app/datasets/catalog/product.ts'
import { apiQuery } from '#app/platform/browser/api.ts'
import { usePageQuery } from '#app/platform/browser/use-page-query.ts'
import { countOf } from '#app/ui/amount.ts'
import { Button } from '#app/ui/button.tsx'
import { Empty } from '#app/ui/empty.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { Field } from '#app/ui/field.tsx'
import { Select } from '#app/ui/input.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { CardsSkeleton } from '#app/ui/skeleton.tsx'
import { Tabs } from '#app/ui/tabs.tsx'
import { ProductCard } from './product-card.tsx'
import { ProductTable } from './product-table.tsx'

/**
 * All published products by category, from the beginning those of the document. Search and sorting run in the browser, because there are
 * few.
 */
export function Catalog({ first }: { first?: DataProduct[] }) {
  const products = usePageQuery({ ...apiQuery(PRODUCTS, z.array(dataProduct)), ...(first && { initialData: first }) })
  if (products.isPending) {
    return (
      <div>
        <Loading>Loading data products...</Loading>
        <CardsSkeleton />
      </div>
    )
  }
  if (products.isError) return <Failed as="h2" title="Could not load data products" error={products.error} retry={products.refetch} />
  return <Shelf products={products.data} />
}

function Shelf({ products }: { products: DataProduct[] }) {
  const { params, change } = useView()
  const { category } = readCatalogueChoice(params, products)
  const tabs = [ALL, ...listCategories(products).map(toValue)].map((value) => ({
    value,
    label: toCategory(value),
    count: products.filter((product) => value === ALL || toValue(product.category) === value).length,
    content: <Cards products={products} />,
  }))
  return (
    <div className="grid grid-cols-1 gap-3 sm:gap-6">
      <Tools count={products.length} />
      <Tabs
        label="Categories"
        tabs={tabs}
        value={category === ALL ? ALL : toValue(category)}
        onValueChange={(value) => change({ category: value === ALL ? undefined : toCategory(value) }, { replace: true })}
      />
    </div>
  )
}

/** A category may be called "all" as well. */
const toValue = (category: string) => `=${category}`
const toCategory = (value: string) => value.replace(/^=/, '')

function Tools({ count }: { count: number }) {
  const { params, change } = useView()
  const [view, setView] = useCatalogView(count)
  return (
    <div className="flex flex-wrap items-end gap-x-3 gap-y-3">
      <div className="min-w-48 grow basis-64 max-sm:basis-full">
        <SearchField name="q" label="Search" placeholder="Prices, leads, cities" />
      </div>
      {/* On a phone, the order says what it is, and the line has room for the button. */}
      <div className="min-w-0 max-sm:grow max-sm:[&_.tool]:sr-only sm:min-w-44">
        <Field label="Sort by" name="sort" tool>
          <Select
            value={params.get('sort') ?? 'shelf'}
            onChange={(event) => change({ sort: event.target.value === 'shelf' ? undefined : event.target.value })}
          >
            {Object.entries(catalogOrders).map(([order, label]) => (
              <option key={order} value={order}>
                {label}
              </option>
            ))}
          </Select>
        </Field>
      </div>
      <Button type="button" look="quiet" onClick={() => setView(view === 'list' ? 'cards' : 'list')}>
        {view === 'list' ? 'Show as cards' : 'Show as a list'}
      </Button>
    </div>
  )
}

/** With more datasets than this, cards fill several screens, so a list is the better start. */
const MOST_CARDS = 9

/** Cards or a list: the choice of the reader, which the browser remembers, else by the number of datasets. */
function useCatalogView(count: number): ['cards' | 'list', (view: 'cards' | 'list') => void] {
  const [stored, store] = useStored('view.marketplace')
  const usual = count > MOST_CARDS ? 'list' : 'cards'
  const view = stored[0] === 'cards' || stored[0] === 'list' ? stored[0] : usual
  return [view, (next) => store(() => [next])]
}

function Cards({ products }: { products: DataProduct[] }) {
  const { params, change } = useView()
  const [view] = useCatalogView(products.length)
  const chosen = chooseProducts(products, readCatalogueChoice(params, products))
  if (chosen.length === 0) {
    // An empty catalog has nothing else to show.
    const all = products.length > 0 && (
      <Button type="button" look="quiet" onClick={() => change({ q: undefined, category: undefined })}>
        Show all products
      </Button>
    )
    return (
      <Empty title="No products found" action={all}>
        No data products available in this category.
      </Empty>
    )
  }
  return (
    <>
      <p role="status" className="sr-only">
        {countOf(chosen.length, 'product', 'products')}
      </p>
      {view === 'list' ? (
        <ProductTable products={chosen} />
      ) : (
        <ul className="grid grid-cols-1 gap-6 md:grid-cols-2 xl:grid-cols-3">
          {chosen.map((product) => (
            <ProductCard key={product.id} product={product} />
          ))}
        </ul>
      )}
    </>
  )
}

const ALL = 'all'

/** The sort orders; the first is the order that staff chose. */
const catalogOrders = { shelf: 'Recommended', newest: 'Newest', name: 'Name', price: 'Price', size: 'Size' } as const

type CatalogOrder = keyof typeof catalogOrders

/** The category, search and order in the URL. Unknown values count as none. */
type CatalogueChoice = { category: string; q: string; order: CatalogOrder }

export function readCatalogueChoice(params: URLSearchParams, products: readonly DataProduct[]): CatalogueChoice {
  const category = params.get('category')
  const order = params.get('sort') ?? ''
  return {
    category: category !== null && listCategories(products).includes(category) ? category : ALL,
    q: params.get('q')?.trim() ?? '',
    order: isOrder(order) ? order : 'shelf',
  }
}

/** Each category once, in catalog order. */
export function listCategories(products: readonly DataProduct[]): string[] {
  return [...new Set(products.map(({ category }) => category))]
}

/** The products of a category that have every word of the search in their name, description or category. */
export function chooseProducts(products: readonly DataProduct[], { category, q, order }: CatalogueChoice): DataProduct[] {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean)
  return products
    .filter((product) => category === ALL || product.category === category)
    .filter(({ name, description, category: kind }) => {
      const text = `${name} ${description} ${kind}`.toLowerCase()
      return words.every((word) => text.includes(word))
    })
    .toSorted(comparisons[order])
}

const comparisons: Record<CatalogOrder, (a: DataProduct, b: DataProduct) => number> = {
  shelf: () => 0,
  newest: (a, b) => (b.updatedAt ?? '').localeCompare(a.updatedAt ?? ''),
  name: (a, b) => a.name.localeCompare(b.name, 'en'),
  price: (a, b) => a.price - b.price,
  size: (a, b) => b.bytes - a.bytes,
}

function isOrder(text: string): text is CatalogOrder {
  return Object.hasOwn(catalogOrders, text)
}
