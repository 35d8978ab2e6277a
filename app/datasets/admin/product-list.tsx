import { Link } from 'react-router'
import { useQueryClient } from '@tanstack/react-query'
import { useDrag } from '#app/ui/admin/use-drag.tsx'
import { useView } from '#app/ui/admin/use-view.tsx'
import { withChanges } from '#app/ui/admin/view.ts'
import type { StaffProduct } from '#app/datasets/catalog/product.ts'
import { countOf } from '#app/ui/amount.ts'
import { Button } from '#app/ui/button.tsx'
import { buttonLook } from '#app/ui/button-look.ts'
import { Empty } from '#app/ui/empty.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { showFailure } from '#app/ui/admin/tell-failure.ts'
import { useOrder } from '#app/ui/admin/use-order.tsx'
import { PRODUCTS } from '#app/datasets/catalog/addresses.ts'
import { apiRequest } from '#app/platform/browser/api.ts'
import { SearchField } from '#app/ui/admin/search-field.tsx'
import { Field } from '#app/ui/field.tsx'
import { Select } from '#app/ui/input.tsx'
import { useProducts } from './use-products.tsx'
import { ProductRow } from './product-row.tsx'
import { filterProducts, visibleProducts } from './product-view.ts'
import { STAFF_PRODUCTS } from './product-urls.ts'
import { renewProduct } from './product-responses.ts'

/** The whole catalog in the order that customers see. */
export function ProductList() {
  const list = useProducts()
  const { params } = useView()
  if (list.isPending) {
    return (
      <div>
        <Loading>Loading products...</Loading>
        <Skeleton lines={10} />
      </div>
    )
  }
  if (list.isError) return <Failed as="h2" title="Failed to fetch products" error={list.error} retry={list.refetch} />
  if (list.data.length > 0) return <Products list={list.data} />
  return (
    <Empty
      title="No products yet"
      action={
        <Link to={withChanges(params, { new: 'product' })} className={buttonLook()}>
          New Product
        </Link>
      }
    >
      <p>Products appear here in catalog order. A new product is hidden until you publish it.</p>
    </Empty>
  )
}

function Products({ list }: { list: StaffProduct[] }) {
  const { params, change } = useView()
  const order = useProductOrder(list)
  const drag = useDrag(order.move)
  const chosen = filterProducts(list, params)
  const all = countOf(list.length, 'product', 'products')
  return (
    <div className="grid grid-cols-1 gap-5">
      <ProductToolbar />
      {chosen.length === 0 ? (
        <Empty
          title="No matches"
          action={
            <Button type="button" look="quiet" onClick={() => change({ q: undefined, show: undefined })}>
              Show all
            </Button>
          }
        >
          <p>No products match this search.</p>
        </Empty>
      ) : (
        <ol aria-label="Products" className="grid grid-cols-1 rounded-card border border-line bg-surface">
          {chosen.map((product, at) => (
            <ProductRow
              key={product.id}
              product={product}
              before={chosen[at - 1]}
              after={chosen[at + 1]}
              count={list.length}
              order={order}
              drag={drag}
            />
          ))}
        </ol>
      )}
      <p role="status" className="font-mono text-fine text-muted">
        {chosen.length === list.length ? all : `${chosen.length} of ${all}`}
      </p>
      <p role="status" className="sr-only">
        {order.said}
      </p>
    </div>
  )
}

function useProductOrder(list: readonly StaffProduct[]) {
  const client = useQueryClient()
  return useOrder({
    list,
    url: STAFF_PRODUCTS,
    nameOf: ({ name }) => name,
    meaning: 'The first one is the first that customers see.',
    send: async ({ ids }) => apiRequest('PATCH', `${PRODUCTS}/order`, { ids }),
    onFailure: (error) => showFailure('Order not changed', error),
    askAgain: async () => renewProduct(client),
  })
}

function ProductToolbar() {
  const { params, change } = useView()
  return (
    <div className="flex flex-wrap items-end gap-x-4 gap-y-3">
      <div className="min-w-48 grow basis-64">
        <SearchField name="q" label="Search" placeholder="Search by name, slug or category" />
      </div>
      <div className="min-w-44 max-sm:grow">
        <Field label="Show" name="show" tool>
          <Select value={params.get('show') ?? ''} onChange={(event) => change({ show: event.target.value })}>
            {visibleProducts.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
        </Field>
      </div>
    </div>
  )
}
