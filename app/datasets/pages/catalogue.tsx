import { useQuery } from '@tanstack/react-query'
import { z } from 'zod/mini'
import { SearchField } from '#app/ui/admin/search-field.tsx'
import { useView } from '#app/ui/admin/use-view.tsx'
import { OWN_DOWNLOADS, PRODUCTS } from '#app/datasets/catalog/addresses.ts'
import { ownDownload } from '#app/datasets/download/download.ts'
import { type DataProduct, dataProduct } from '#app/datasets/catalog/product.ts'
import { apiQuery } from '#app/platform/browser/api.ts'
import { Button } from '#app/ui/button.tsx'
import { Empty } from '#app/ui/empty.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { Field } from '#app/ui/field.tsx'
import { Select } from '#app/ui/input.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { Tabs } from '#app/ui/tabs.tsx'
import { ALL, listCategories, chooseProducts, catalogOrders, readCatalogueChoice } from './catalogue-choice.ts'
import { ProductCard } from './product-card.tsx'

/** All published products by category. Search and sorting run in the browser, because there are few. */
export function Catalog() {
  const products = useQuery(apiQuery(PRODUCTS, z.array(dataProduct)))
  if (products.isPending) return <Loading>Loading data products...</Loading>
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
    <div className="grid grid-cols-1 gap-6">
      <Tools />
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

function Tools() {
  const { params, change } = useView()
  return (
    <div className="flex flex-wrap items-end gap-x-4 gap-y-3">
      <div className="min-w-48 grow basis-64">
        <SearchField name="q" label="Search" placeholder="Prices, leads, cities" />
      </div>
      <div className="min-w-44 max-sm:grow">
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
    </div>
  )
}

function Cards({ products }: { products: DataProduct[] }) {
  const { params, change } = useView()
  const downloads = useQuery(apiQuery(OWN_DOWNLOADS, z.array(ownDownload)))
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
  const downloaded = new Set(downloads.data?.map(({ productId }) => productId))
  return (
    <>
      <p role="status" className="sr-only">
        {chosen.length === 1 ? '1 product' : `${chosen.length} products`}
      </p>
      <ul className="grid grid-cols-1 gap-6 md:grid-cols-2 xl:grid-cols-3">
        {chosen.map((product) => (
          <ProductCard key={product.id} product={product} isDownloaded={downloaded.has(product.id)} />
        ))}
      </ul>
    </>
  )
}
