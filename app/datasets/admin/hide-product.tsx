import { useAdminAction } from '#app/ui/admin/use-admin-action.tsx'
import type { StaffProduct } from '#app/datasets/catalog/product.ts'
import { bodyOf } from './product-body.ts'
import { productUrl } from './product-urls.ts'
import { productAddresses } from './product-responses.ts'
import { Button } from '#app/ui/button.tsx'

/** Unpublishes or publishes a product. Its data does not change. */
export function HideProduct({ product }: { product: StaffProduct }) {
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
