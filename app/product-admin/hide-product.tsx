import { useAdminAction } from '#app/admin-view/use-admin-action.tsx'
import type { StaffProduct } from '#app/datasets/product.ts'
import { bodyOf } from '#app/product-form/product-body.ts'
import { productUrl } from '#app/product-form/product-urls.ts'
import { productAddresses } from '#app/product-form/product-answers.ts'
import { Button } from '#app/ui/button.tsx'

/** Takes a product from the shelf, or puts it there. Its data stay as they are. */
export function HideProduct({ product }: { product: StaffProduct }) {
  const { id, name, version, hidden } = product
  const change = useAdminAction({
    method: 'PUT',
    url: productUrl(id),
    headers: { 'if-match': `"${version}"` },
    body: () => ({ ...bodyOf(product), hidden: !hidden }),
    done: hidden ? `${name} is on the shelf` : `${name} is hidden`,
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
