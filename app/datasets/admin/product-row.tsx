import { Link } from 'react-router'
import { useQueryClient } from '@tanstack/react-query'
import type { Placed } from '#app/ui/admin/order.ts'
import { OrderedRow, type OrderedRowProps } from '#app/ui/admin/ordered-row.tsx'
import { useView } from '#app/ui/admin/use-view.tsx'
import { withChanges } from '#app/ui/admin/view.ts'
import { MARKETPLACE } from '#app/datasets/catalog/addresses.ts'
import { priceInWords } from '#app/datasets/catalog/price.ts'
import type { StaffProduct } from '#app/datasets/catalog/product.ts'
import { bytesInWords, countOf } from '#app/ui/amount.ts'
import { buttonLook } from '#app/ui/button-look.ts'
import { useAdminAction } from '#app/ui/admin/use-admin-action.tsx'
import { Button } from '#app/ui/button.tsx'
import { DeleteButton } from '#app/ui/admin/delete-button.tsx'
import { showFailure } from '#app/ui/admin/tell-failure.ts'
import { apiRequest } from '#app/platform/browser/api.ts'
import { toast } from '#app/ui/toast.ts'
import { ProductBadges } from './product-badges.tsx'
import { bodyOf } from './product-body.ts'
import { productUrl } from './product-urls.ts'
import { productAddresses, renewProduct } from './product-responses.ts'

type RowProps = Omit<OrderedRowProps, 'row' | 'name'> & { product: Placed<StaffProduct> }

export function ProductRow({ product, ...place }: RowProps) {
  const { params } = useView()
  const { id, name } = product
  const actions = (
    <>
      <Link to={withChanges(params, { edit: id })} aria-label={`Edit ${name}`} className={buttonLook('quiet', 'small')}>
        Edit
      </Link>
      <HideProduct product={product} />
      <DeleteProduct product={product} />
    </>
  )
  return (
    <OrderedRow {...place} row={product} name={name} actions={actions}>
      <About product={product} />
    </OrderedRow>
  )
}

function About({ product }: { product: StaffProduct }) {
  const { params } = useView()
  const { id, name, slug, description, category, price, openRequests } = product
  return (
    <div className="grid min-w-0 content-start gap-2">
      <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <h2 className="min-w-0 text-h3 wrap-anywhere">
          <Link to={withChanges(params, { edit: id })} className="hover:underline">
            {name}
          </Link>
        </h2>
        <span className="font-mono text-small font-semibold tabular-nums">{priceInWords(price)}</span>
      </div>
      <p className="line-clamp-2 text-small text-muted wrap-anywhere">{description}</p>
      <ProductBadges product={product} />
      <p className="flex flex-wrap gap-x-4 gap-y-0.5 font-mono text-fine text-muted">
        <span className="wrap-anywhere">
          {MARKETPLACE}/{slug}
        </span>
        <span className="wrap-anywhere">{category}</span>
        <Size product={product} />
        {openRequests > 0 && (
          <Link to={withChanges(params, { edit: id, tab: 'access' })} className="link font-semibold">
            {countOf(openRequests, 'open request', 'open requests')}
          </Link>
        )}
      </p>
    </div>
  )
}

function Size({ product: { currentVersion, rows, bytes } }: { product: StaffProduct }) {
  if (currentVersion === null) return <span>Nothing published yet</span>
  return (
    <span>
      Version {currentVersion}, {countOf(rows, 'row', 'rows')}, {bytesInWords(bytes)}
    </span>
  )
}

/** Unpublishes or publishes a product. Its data does not change. */
function HideProduct({ product }: { product: StaffProduct }) {
  const { id, name, version, hidden } = product
  const change = useAdminAction({
    method: 'PUT',
    url: productUrl(id),
    headers: { 'if-match': `"${version}"` },
    body: () => ({ ...bodyOf(product), hidden: !hidden }),
    done: hidden ? `${name} is published` : `${name} is hidden`,
    failed: 'Product not changed',
    touches: productAddresses,
  })
  const verb = hidden ? 'Show' : 'Hide'
  return (
    <Button type="button" look="quiet" size="small" aria-label={`${verb} ${name}`} busy={change.isPending} onClick={() => change.mutate()}>
      {verb}
    </Button>
  )
}

function DeleteProduct({ product: { id, name, hidden } }: { product: StaffProduct }) {
  const client = useQueryClient()
  async function onDeleted() {
    toast({ title: 'Product deleted successfully' })
    await renewProduct(client)
  }
  return (
    <DeleteButton
      name={name}
      question="Are you sure you want to delete this product?"
      remove={async () => apiRequest('DELETE', productUrl(id))}
      onDeleted={onDeleted}
      onFailure={(error) => showFailure('Error deleting product', error)}
    >
      <p className="font-semibold text-ink wrap-anywhere">{name}</p>
      <p>Customers with access lose it, in files and by API. {!hidden && 'To only unpublish it, hide it instead.'}</p>
    </DeleteButton>
  )
}
