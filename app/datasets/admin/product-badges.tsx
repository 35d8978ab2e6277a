import type { StaffProduct } from '#app/datasets/catalog/product.ts'
import { Badge } from '#app/ui/badge.tsx'

/** The formats of a product, its visibility, and the status of its newest version. */
export function ProductBadges({
  product,
  isLine = false,
}: {
  product: StaffProduct
  /** In a table, where cells never wrap. */ isLine?: boolean
}) {
  const { hasFile, hasApi, hidden, newestState } = product
  return (
    <span className={isLine ? 'flex gap-1.5' : 'flex flex-wrap gap-1.5'}>
      {hidden ? (
        <Badge>Hidden</Badge>
      ) : (
        <Badge look="leaf" dot>
          Published
        </Badge>
      )}
      {hasFile && <Badge>{isLine ? 'File' : 'File Download'}</Badge>}
      {hasApi && <Badge>{isLine ? 'API' : 'API Access'}</Badge>}
      {newestState === 'processing' && <Badge look="grain">Processing</Badge>}
      {newestState === 'ready' && <Badge look="grain">Ready to publish</Badge>}
      {newestState === 'refused' && <Badge look="alarm">Rejected</Badge>}
    </span>
  )
}
