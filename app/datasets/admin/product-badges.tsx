import type { StaffProduct } from '#app/datasets/catalog/product.ts'
import { Badge } from '#app/ui/badge.tsx'
import { cx } from '#app/ui/class-names.ts'

type ProductBadgesProps = {
  product: StaffProduct
  /** Without the formats, for the narrow rows of a list. */
  isShort?: boolean
  /** Whether they stay in one line, for cells of a table. Their labels are short as well. */
  isLine?: boolean
}

/** The formats of a product, its visibility, and the status of its newest version. */
export function ProductBadges({ product, isLine = false, isShort = false }: ProductBadgesProps) {
  const { hasFile, hasApi, hidden, newestState } = product
  return (
    <span className={cx('flex gap-1.5', !isLine && 'flex-wrap')}>
      {hidden ? (
        <Badge>Hidden</Badge>
      ) : (
        <Badge look="leaf" dot>
          Published
        </Badge>
      )}
      {hasFile && !isShort && <Badge>{isLine ? 'File' : 'File Download'}</Badge>}
      {hasApi && !isShort && <Badge>{isLine ? 'API' : 'API Access'}</Badge>}
      {newestState === 'processing' && <Badge look="grain">Processing</Badge>}
      {newestState === 'ready' && <Badge look="grain">New version</Badge>}
      {newestState === 'refused' && <Badge look="alarm">Rejected</Badge>}
    </span>
  )
}
