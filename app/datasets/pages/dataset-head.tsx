import { Link } from 'react-router'
import type { ProductDetail } from '#app/datasets/catalog/product.ts'
import { Badge } from '#app/ui/badge.tsx'

type DatasetHeadProps = {
  detail: ProductDetail
  back: React.ReactNode
  /** Price and actions. */
  offer: React.ReactNode
}

/** The summary and the price. In the workspace it is as dense as its other pages. */
export function DatasetHead({ detail, back, offer }: DatasetHeadProps) {
  const { name, description, category, downloadUrl, apiEndpoint, isSample } = detail
  return (
    <header className="grid grid-cols-1 gap-x-12 gap-y-8 in-[.workspace]:gap-y-4 lg:grid-cols-[minmax(0,7fr)_minmax(0,4fr)] lg:items-start">
      <div className="grid justify-items-start gap-5 in-[.workspace]:gap-1.5">
        {back}
        <h1 className="wrap-anywhere in-[.workspace]:-mt-1 in-[.workspace]:text-h2">{name}</h1>
        <p className="flex flex-wrap gap-2">
          <Badge className="max-w-full whitespace-normal">{category}</Badge>
          {downloadUrl && <Badge look="leaf">File Download</Badge>}
          {apiEndpoint && <Badge look="grain">API Access</Badge>}
          {isSample && <Badge>Sample</Badge>}
        </p>
        <p className="max-w-[60ch] text-lead wrap-anywhere text-muted in-[.workspace]:max-w-[80ch]">{description}</p>
      </div>
      {offer}
    </header>
  )
}

/** To the list that the dataset is in. */
export function BackLink({ to, children }: { to: string; children: string }) {
  return (
    <Link to={to} className="link inline-flex min-h-9 items-center text-small font-medium pointer-coarse:min-h-11 print:hidden">
      {children}
    </Link>
  )
}
