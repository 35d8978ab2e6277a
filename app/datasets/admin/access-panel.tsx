import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { z } from 'zod/mini'
import type { StaffProduct } from '#app/datasets/catalog/product.ts'
import { PRODUCT_REQUESTS, productRequest, entitlement } from '#app/datasets/access/entitlement.ts'
import { apiQuery } from '#app/platform/browser/api.ts'
import { Button } from '#app/ui/button.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { entitlementsUrl } from './product-urls.ts'
import { GrantDialog } from './grant-dialog.tsx'
import { GrantTable } from './grant-table.tsx'
import { RequestRow } from './request-row.tsx'

/** Requests and grants of a product. */
export function AccessPanel({ product }: { product: StaffProduct }) {
  const [isGranting, setGranting] = useState(false)
  return (
    <div className="grid grid-cols-1 gap-8">
      {product.price === 0 && (
        <p className="max-w-prose text-muted">
          This product is free for everyone with a confirmed email address. Grants apply once it has a price.
        </p>
      )}
      <Requests product={product} />
      <section aria-labelledby="grants" className="grid grid-cols-1 gap-3">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <h2 id="grants" className="text-h3">
            Customers with access
          </h2>
          <Button type="button" look="quiet" size="small" onClick={() => setGranting(true)}>
            Grant by email address
          </Button>
        </div>
        <Grants product={product} />
      </section>
      {isGranting && <GrantDialog product={product} close={() => setGranting(false)} />}
    </div>
  )
}

function Requests({ product }: { product: StaffProduct }) {
  const requests = useQuery(apiQuery(PRODUCT_REQUESTS, z.array(productRequest)))
  const open = requests.data?.filter(({ productId }) => productId === product.id)
  return (
    <section aria-labelledby="requests" className="grid grid-cols-1 gap-3">
      <h2 id="requests" className="text-h3">
        Open requests
      </h2>
      {requests.isPending && <Loading>Loading requests...</Loading>}
      {requests.isError && <Failed title="Failed to fetch requests" error={requests.error} retry={requests.refetch} />}
      {open?.length === 0 && <p className="text-muted">No open requests. Access requests appear here and among the leads.</p>}
      {open && open.length > 0 && (
        <ul aria-label="Open requests" className="grid grid-cols-1 rounded-card border border-line bg-surface">
          {open.map((request) => (
            <RequestRow key={request.id} product={product} request={request} />
          ))}
        </ul>
      )}
    </section>
  )
}

function Grants({ product }: { product: StaffProduct }) {
  const grants = useQuery(apiQuery(entitlementsUrl(product.id), z.array(entitlement)))
  if (grants.isPending) return <Loading>Loading grants...</Loading>
  if (grants.isError) return <Failed title="Failed to fetch grants" error={grants.error} retry={grants.refetch} />
  if (grants.data.length === 0) return <p className="text-muted">No grants yet.</p>
  return <GrantTable grants={grants.data} product={product} />
}
