import { Link } from 'react-router'
import { useDrag } from '#app/ui/admin/use-drag.tsx'
import { useView } from '#app/ui/admin/use-view.tsx'
import { withChanges } from '#app/ui/admin/view.ts'
import type { StaffProduct } from '#app/datasets/catalog/product.ts'
import { useProducts } from './use-products.tsx'
import { countOf } from '#app/ui/amount.ts'
import { Button } from '#app/ui/button.tsx'
import { buttonLook } from '#app/ui/button-look.ts'
import { Empty } from '#app/ui/empty.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { ProductRow } from './product-row.tsx'
import { ProductToolbar } from './product-toolbar.tsx'
import { filterProducts } from './product-view.ts'
import { useProductOrder } from './use-product-order.tsx'

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
