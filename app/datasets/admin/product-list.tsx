import { Link } from 'react-router'
import { useQueryClient } from '@tanstack/react-query'
import { PencilIcon } from 'lucide-react'
import { ChooseColumns, DataTable, RowButton, TableToolbar } from '#app/ui/admin/data-table.tsx'
import { useTable } from '#app/ui/admin/use-table.ts'
import { priceInWords } from '#app/datasets/catalog/price.ts'
import { useView } from '#app/ui/admin/use-view.tsx'
import { withChanges } from '#app/ui/admin/view.ts'
import type { StaffProduct } from '#app/datasets/catalog/product.ts'
import { countOf } from '#app/ui/amount.ts'
import { Button } from '#app/ui/button.tsx'
import { buttonLook } from '#app/ui/button-look.ts'
import { Empty } from '#app/ui/empty.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { RowsSkeleton } from '#app/ui/skeleton.tsx'
import { showFailure } from '#app/ui/admin/tell-failure.ts'
import { useOrder } from '#app/ui/admin/use-order.tsx'
import { useOrdering } from '#app/ui/admin/use-ordering.tsx'
import { PRODUCTS } from '#app/datasets/catalog/addresses.ts'
import { apiRequest } from '#app/platform/browser/api.ts'
import { SavedViews } from '#app/ui/admin/saved-views.tsx'
import { SearchField } from '#app/ui/admin/search-field.tsx'
import { Field } from '#app/ui/field.tsx'
import { Select } from '#app/ui/input.tsx'
import { useProducts } from './use-products.tsx'
import { ProductBadges } from './product-badges.tsx'
import { DataInWords, productColumns, type ProductRow } from './product-row.tsx'
import { useProductChanges } from './use-product-changes.tsx'
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
        <RowsSkeleton />
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
  const chosen = filterProducts(list, params)
  const table = useTable({ name: 'products', columns: productColumns, rows: chosen })
  const all = countOf(list.length, 'product', 'products')
  return (
    <div className="grid grid-cols-1 gap-3">
      <TableToolbar>
        <ProductFilters />
        <SavedViews name="products" keys={['q', 'show']} />
        <ChooseColumns table={table} />
      </TableToolbar>
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
        <ProductTable list={list} chosen={chosen} table={table} />
      )}
      <p role="status" className="font-mono text-fine text-muted">
        {chosen.length === list.length ? all : `${chosen.length} of ${all}`}
      </p>
    </div>
  )
}

const nameOf = ({ name }: ProductRow) => name

type ProductTableProps = { list: StaffProduct[]; chosen: ProductRow[]; table: ReturnType<typeof useTable<ProductRow>> }

function ProductTable({ list, chosen, table }: ProductTableProps) {
  const { change } = useView()
  const { ordering, moves } = useOrdering(useProductOrder(list), { count: list.length, shown: chosen, nameOf })
  const changes = useProductChanges()
  return (
    <>
      <DataTable
        table={table}
        caption="Products"
        nameOf={nameOf}
        ordering={ordering}
        renderNarrow={(product) => (
          <>
            <ProductBadges product={product} isShort />
            <span>{priceInWords(product.price)}</span>
            <DataInWords product={product} />
          </>
        )}
        renderActions={({ id, name }) => (
          <RowButton label={`Edit ${name}`} onClick={() => change({ edit: id }, { fromTop: true })}>
            <PencilIcon aria-hidden="true" />
          </RowButton>
        )}
        actionCount={1}
        menuOf={(product) => [
          { label: 'Edit', act: () => change({ edit: product.id }, { fromTop: true }) },
          { label: product.hidden ? 'Publish' : 'Hide', act: () => changes.change([product], product.hidden ? 'publish' : 'hide') },
          ...moves.entriesOf(product),
          { label: 'Delete', startsGroup: true, isDanger: true, act: () => changes.askToDelete([product]) },
        ]}
        renderBulk={(products, clear) => (
          <>
            <Button type="button" look="quiet" size="small" onClick={() => changes.change(products, 'publish', clear)}>
              Publish
            </Button>
            <Button type="button" look="quiet" size="small" onClick={() => changes.change(products, 'hide', clear)}>
              Hide
            </Button>
            <Button type="button" look="quiet" size="small" onClick={() => changes.askToDelete(products, clear)}>
              Delete
            </Button>
          </>
        )}
      />
      {moves.dialog}
      {changes.dialog}
    </>
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

function ProductFilters() {
  const { params, change } = useView()
  return (
    <>
      <SearchField name="q" label="Search" placeholder="Search name, slug, category" />
      <Field label="Show" name="show" tool>
        <Select value={params.get('show') ?? ''} onChange={(event) => change({ show: event.target.value })}>
          {visibleProducts.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
      </Field>
    </>
  )
}
