import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { rowLink } from '#app/ui/admin/data-table.tsx'
import type { Placed } from '#app/ui/admin/order.ts'
import type { TableColumn } from '#app/ui/admin/use-table.ts'
import { useView } from '#app/ui/admin/use-view.tsx'
import { withChanges } from '#app/ui/admin/view.ts'
import { priceInWords } from '#app/datasets/catalog/price.ts'
import { type StaffProduct, staffProduct } from '#app/datasets/catalog/product.ts'
import { bytesInWords, countOf } from '#app/ui/amount.ts'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import { showFailure } from '#app/ui/admin/tell-failure.ts'
import { undoButton } from '#app/ui/admin/undo.tsx'
import { apiRequest } from '#app/platform/browser/api.ts'
import { toast } from '#app/ui/toast.ts'
import { ProductBadges } from './product-badges.tsx'
import { bodyOf } from './product-body.ts'
import { productUrl } from './product-urls.ts'
import { renewProduct } from './product-responses.ts'

export type ProductRow = Placed<StaffProduct>

/** The columns of the list of products. */
export const productColumns: TableColumn<ProductRow>[] = [
  { key: 'name', head: 'Name', view: (product) => <NameLink product={product} /> },
  { key: 'state', head: 'Status', width: '16rem', from: 'medium', view: (product) => <State product={product} /> },
  { key: 'category', head: 'Category', width: '10rem', from: 'huge', view: ({ category }) => <span title={category}>{category}</span> },
  { key: 'price', head: 'Price', width: '6.5rem', from: 'medium', kind: 'number', view: ({ price }) => priceInWords(price) },
  { key: 'data', head: 'Data', width: '16rem', from: 'large', kind: 'data', view: (product) => <DataInWords product={product} /> },
  { key: 'slug', head: 'Slug', width: '12rem', from: 'huge', isExtra: true, kind: 'data', view: ({ slug }) => slug },
]

function NameLink({ product: { id, name, description } }: { product: ProductRow }) {
  const { params } = useView()
  return (
    <Link to={withChanges(params, { edit: id })} title={description} className={rowLink}>
      {name}
    </Link>
  )
}

export function DataInWords({ product: { currentVersion, rows, bytes } }: { product: StaffProduct }) {
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

/** Publishes a hidden product, or hides a published one. */
async function sendVisibility(product: StaffProduct): Promise<Response> {
  const headers = { 'content-type': 'application/json', 'if-match': `"${product.version}"` }
  return apiRequest('PUT', productUrl(product.id), { ...bodyOf(product), hidden: !product.hidden }, { headers })
}

/** Changes of one product from its row, the question before it is deleted, and an undo in each toast. */
export function useProductChanges() {
  const client = useQueryClient()
  const [asked, setAsked] = useState<StaffProduct>()
  const renew = async () => renewProduct(client)
  const visibility = useMutation({
    mutationFn: sendVisibility,
    async onSuccess(response, { name, hidden }) {
      const changed = staffProduct.parse(await response.json())
      const title = hidden ? `${name} is published` : `${name} is hidden`
      toast({ title, button: undoButton({ send: () => sendVisibility(changed), renew }) })
    },
    onError: (error) => showFailure('Product not changed', error, 'Please try again.'),
    onSettled: renew,
  })
  const removal = useMutation({
    mutationFn: async ({ id }: StaffProduct) => apiRequest('DELETE', productUrl(id)),
    onSuccess(_response, { id }) {
      const send = async () => apiRequest('POST', `${productUrl(id)}/restore`)
      toast({ title: 'Product deleted successfully', button: undoButton({ send, renew }) })
    },
    onError: (error) => showFailure('Error deleting product', error),
    async onSettled() {
      setAsked(undefined)
      await renew()
    },
  })
  return {
    /** Unpublishes or publishes a product. Its data does not change. */
    switchVisibility: (product: StaffProduct) => visibility.mutate(product),
    askToDelete: setAsked,
    dialog: asked && (
      <ConfirmDialog
        open
        onClose={() => setAsked(undefined)}
        onConfirm={() => removal.mutate(asked)}
        title="Are you sure you want to delete this product?"
        confirm={removal.isPending ? 'Deleting...' : 'Delete'}
        busy={removal.isPending}
      >
        <p className="font-semibold text-ink wrap-anywhere">{asked.name}</p>
        <p>Customers with access lose it, in files and by API. {!asked.hidden && 'To only unpublish it, hide it instead.'}</p>
      </ConfirmDialog>
    ),
  }
}
