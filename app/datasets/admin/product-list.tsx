import { PencilIcon } from 'lucide-react'
import { Link } from 'react-router'
import { PRODUCTS } from '#app/datasets/catalog/addresses.ts'
import type { StaffProduct } from '#app/datasets/catalog/product.ts'
import { apiRequest } from '#app/platform/browser/api.ts'
import { RowButton } from '#app/ui/admin/data-table.tsx'
import { ListPage } from '#app/ui/admin/list-page.tsx'
import { useOrder } from '#app/ui/admin/use-order.tsx'
import { useOrdering } from '#app/ui/admin/use-ordering.tsx'
import { useView } from '#app/ui/admin/use-view.tsx'
import { withChanges } from '#app/ui/admin/view.ts'
import { buttonLook } from '#app/ui/button-look.ts'
import { productLook } from './product-look.tsx'
import { productAddresses, STAFF_PRODUCTS } from './product-urls.ts'
import { filterProducts } from './product-view.ts'
import { useProductChanges } from './use-product-changes.tsx'
import { useProducts } from './use-products.tsx'

/** The whole catalog in the order that customers see. */
export function ProductList() {
  const { params, change } = useView()
  const query = useProducts()
  const list = query.data ?? []
  const matches = filterProducts(list, params)
  const { ordering, moves } = useOrdering(useProductOrder(list), { count: list.length, shown: matches, nameOf: productLook.nameOf })
  const changes = useProductChanges()
  return (
    <ListPage
      {...productLook}
      list={query}
      rows={query.data && matches}
      place={{ count: matches.length, total: list.length, page: 1, pages: 1 }}
      ordering={ordering}
      opens={({ id }) => ({ to: withChanges(params, { edit: id }) })}
      emptyAction={
        <Link to={withChanges(params, { new: 'product' })} className={buttonLook()}>
          New Product
        </Link>
      }
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
      bulk={[
        { label: 'Publish', act: ({ rows, clear }) => changes.change(rows, 'publish', clear) },
        { label: 'Hide', act: ({ rows, clear }) => changes.change(rows, 'hide', clear) },
        { label: 'Delete', act: ({ rows, clear }) => changes.askToDelete(rows, clear) },
      ]}
    >
      {moves.dialog}
      {changes.dialog}
    </ListPage>
  )
}

function useProductOrder(list: readonly StaffProduct[]) {
  return useOrder({
    list,
    url: STAFF_PRODUCTS,
    nameOf: ({ name }) => name,
    meaning: 'The first one is the first that customers see.',
    send: async ({ ids }) => apiRequest('PATCH', `${PRODUCTS}/order`, { ids }),
    touches: productAddresses,
  })
}
