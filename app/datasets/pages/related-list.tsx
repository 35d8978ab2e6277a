import { Link } from 'react-router'
import { MARKETPLACE } from '#app/datasets/catalog/addresses.ts'
import { priceInWords } from '#app/datasets/catalog/price.ts'
import type { ProductDetail } from '#app/datasets/catalog/product.ts'
import { Card } from '#app/ui/card.tsx'

export function RelatedList({ related }: { related: ProductDetail['related'] }) {
  return (
    <ul className="grid grid-cols-1 gap-5 sm:grid-cols-2 lg:grid-cols-3">
      {related.map(({ slug, name, description, price }) => (
        <Card as="li" key={slug} className="relative grid content-start gap-2">
          <p className="font-mono text-small tabular-nums">{priceInWords(price)}</p>
          <h3 className="text-h3">
            <Link to={`${MARKETPLACE}/${slug}`} className="after:absolute after:inset-0 hover:underline">
              {name}
            </Link>
          </h3>
          <p className="text-small text-muted wrap-anywhere">{description}</p>
        </Card>
      ))}
    </ul>
  )
}
