import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { StaffProduct } from '#app/datasets/catalog/product.ts'
import { changedProducts, PRODUCT_BULK, type ProductBulk } from '#app/datasets/catalog/product-bulk.ts'
import { apiRequest } from '#app/platform/browser/api.ts'
import { expectData, useAction } from '#app/ui/admin/use-action.ts'
import { countOf } from '#app/ui/amount.ts'
import { ConfirmDialog, Named } from '#app/ui/confirm-dialog.tsx'
import { productAddresses, STAFF_PRODUCTS } from './product-urls.ts'

type Asked = { products: readonly StaffProduct[]; done: (() => void) | undefined }
type Change = Asked & { change: 'publish' | 'hide' | 'delete' }

const reverse = { publish: 'hide', hide: 'publish', delete: 'restore' } as const

/** Changes of one or several products, the question before they are deleted, and an undo in each toast. */
export function useProductChanges() {
  const client = useQueryClient()
  const [asked, setAsked] = useState<Asked>()
  const action = useAction({
    send: async ({ products, change }: Change) => sendChange({ ids: products.map(({ id }) => id), change }),
    expect({ products, change }) {
      const ids = new Set(products.map(({ id }) => id))
      setAsked(undefined)
      return expectData<StaffProduct[]>(client, { queryKey: [STAFF_PRODUCTS] }, (list) =>
        change === 'delete'
          ? list.filter(({ id }) => !ids.has(id))
          : list.map((product) => (ids.has(product.id) ? { ...product, hidden: change === 'hide' } : product)),
      )
    },
    onDone: (_ids, { done }) => done?.(),
    done: (ids, { products, change }) => doneText(ids.length, products, change),
    undo: (ids, { change }) => (ids.length > 0 ? async () => sendChange({ ids, change: reverse[change] }) : undefined),
    failed: ({ change }) => (change === 'delete' ? 'Error deleting product' : 'Product not changed'),
    touches: productAddresses,
  })
  return {
    /** Publishes or hides products. Their data do not change. */
    change: (products: readonly StaffProduct[], change: 'publish' | 'hide', done?: () => void) => action.mutate({ products, change, done }),
    askToDelete: (products: readonly StaffProduct[], done?: () => void) => setAsked({ products, done }),
    dialog: asked && (
      <ConfirmDialog
        open
        onClose={() => setAsked(undefined)}
        onConfirm={() => action.mutate({ ...asked, change: 'delete' })}
        title={
          asked.products.length === 1 ? 'Are you sure you want to delete this product?' : 'Are you sure you want to delete these products?'
        }
        confirm="Delete"
      >
        <Named names={asked.products.map(({ name }) => name)} />
        <p>
          Customers with access lose it, in files and by API.{' '}
          {asked.products.some(({ hidden }) => !hidden) && 'To only unpublish, hide instead.'}
        </p>
      </ConfirmDialog>
    ),
  }
}

async function sendChange(body: ProductBulk): Promise<string[]> {
  return changedProducts.parse(await (await apiRequest('POST', PRODUCT_BULK, body)).json()).ids
}

const states = { publish: 'published', hide: 'hidden', delete: 'deleted' }

function doneText(count: number, products: readonly StaffProduct[], change: Change['change']): string {
  if (count === 0) return 'Nothing to change: it already is like that'
  const [first] = products
  if (count > 1 || !first || products.length > 1) return `${countOf(count, 'product', 'products')} ${states[change]}`
  return change === 'delete' ? 'Product deleted successfully' : `${first.name} is ${states[change]}`
}
