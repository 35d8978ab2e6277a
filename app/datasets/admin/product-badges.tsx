import type { StaffProduct } from '#app/datasets/catalog/product.ts'
import { Badge } from '#app/ui/badge.tsx'

/** The formats of a product, its visibility, and the status of its newest version. */
export function ProductBadges({ product: { hasFile, hasApi, hidden, newestState } }: { product: StaffProduct }) {
  return (
    <p className="flex flex-wrap gap-1.5">
      {hidden ? (
        <Badge>Hidden</Badge>
      ) : (
        <Badge look="leaf" dot>
          Published
        </Badge>
      )}
      {hasFile && <Badge>File Download</Badge>}
      {hasApi && <Badge>API Access</Badge>}
      {newestState === 'processing' && <Badge look="grain">Processing</Badge>}
      {newestState === 'ready' && <Badge look="grain">Ready to publish</Badge>}
      {newestState === 'refused' && <Badge look="alarm">Rejected</Badge>}
    </p>
  )
}
