import { useQuery } from '@tanstack/react-query'
import { z } from 'zod/mini'
import { MARKETPLACE, OWN_DOWNLOADS } from '#app/datasets/catalog/addresses.ts'
import type { DataProduct } from '#app/datasets/catalog/product.ts'
import { ownDownload, type OwnDownload } from '#app/datasets/download/download.ts'
import { apiQuery } from '#app/platform/browser/api.ts'
import { Button } from '#app/ui/button.tsx'
import { ButtonLink } from '#app/ui/button-link.tsx'
import { useTake } from './use-download.tsx'

type TakeButtonsProps = {
  product: Pick<DataProduct, 'id' | 'downloadUrl' | 'apiEndpoint' | 'access'>
  /** The id of the product's heading: a page has several products. */
  describedBy: string
}

/** The way to access that a paid product has: it is bought, or else requested. */
export function PayLink({ product: { id, slug, checkoutUrl } }: { product: Pick<DataProduct, 'id' | 'slug' | 'checkoutUrl'> }) {
  return (
    <ButtonLink to={checkoutUrl ?? `${MARKETPLACE}/${slug}#request-access`} size="small" aria-describedby={id}>
      {checkoutUrl ? 'Buy' : 'Request access'}
    </ButtonLink>
  )
}

/** The two ways to get a product. A downloaded file can be downloaded again. Before access, buying or the request is the main action. */
export function TakeButtons({ product, describedBy }: TakeButtonsProps) {
  const { id, downloadUrl, apiEndpoint, access } = product
  const own = useOwnDownload(id)
  const take = useTake(id)
  const doing = take.isPending ? take.variables.downloadType : undefined
  return (
    <>
      {downloadUrl && (
        <Button
          type="button"
          look={own || access === 'pay' ? 'quiet' : 'primary'}
          size="small"
          busy={doing === 'file'}
          aria-describedby={describedBy}
          onClick={() => take.mutate({ downloadType: 'file' })}
        >
          {own && <Tick />}
          {doing === 'file' ? 'Starting...' : own ? 'Downloaded' : 'Download'}
        </Button>
      )}
      {apiEndpoint && (
        <Button
          type="button"
          look="quiet"
          size="small"
          busy={doing === 'api'}
          aria-describedby={describedBy}
          onClick={() => take.mutate({ downloadType: 'api' })}
        >
          API Access
        </Button>
      )}
    </>
  )
}

/** Named only where the person has several organizations. */
export function DownloadedFor({ id }: { id: string }) {
  const organization = useOwnDownload(id)?.organization
  return organization ? <p className="text-fine text-muted wrap-anywhere">Downloaded for {organization.name}</p> : null
}

/** The person’s downloads of a product. */
function useOwnDownload(id: string): OwnDownload | undefined {
  const downloads = useQuery(apiQuery(OWN_DOWNLOADS, z.array(ownDownload)))
  return downloads.data?.find(({ productId }) => productId === id)
}

function Tick() {
  return (
    <svg viewBox="0 0 16 16" aria-hidden="true" className="size-3.5 text-leaf">
      <path d="m2.5 8.5 3.5 3.5 7.5-8" fill="none" stroke="currentColor" strokeWidth="2" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  )
}
