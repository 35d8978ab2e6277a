import { useQuery } from '@tanstack/react-query'
import { z } from 'zod/mini'
import { MARKETPLACE, OWN_DOWNLOADS, PRODUCTS } from '#app/datasets/catalog/addresses.ts'
import { type OwnDownload, ownDownload } from '#app/datasets/download/download.ts'
import { dataProduct } from '#app/datasets/catalog/product.ts'
import { dayInWords } from '#app/datasets/pages/words.ts'
import { apiQuery } from '#app/platform/browser/api.ts'
import { Badge } from '#app/ui/badge.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { PanelFrame, PanelLink, PanelLinks } from './panel-frame.tsx'

const SHOWN = 4

/** What a customer was granted, then their downloads, newest first. One with a version after the last download says so. */
export function DatasetsPanel() {
  return (
    <PanelFrame title="Your datasets" more={{ to: MARKETPLACE, label: 'Data Marketplace' }}>
      <Downloads />
    </PanelFrame>
  )
}

function Downloads() {
  const downloads = useQuery(apiQuery(OWN_DOWNLOADS, z.array(ownDownload)))
  const products = useQuery(apiQuery(PRODUCTS, z.array(dataProduct)))
  if (downloads.isPending || products.isPending) return <Loading>Loading your downloads...</Loading>
  if (downloads.isError) return <Failed error={downloads.error} retry={downloads.refetch} />
  if (products.isError) return <Failed error={products.error} retry={products.refetch} />
  const newest = newestOf(downloads.data)
  const granted = products.data.filter(({ id, isFree, access }) => !isFree && access === 'granted' && !newest.has(id))
  const downloaded = products.data
    .filter(({ id }) => newest.has(id))
    .toSorted((a, b) => (newest.get(b.id) ?? '').localeCompare(newest.get(a.id) ?? ''))
  if (granted.length + downloaded.length === 0) {
    return (
      <p className="text-small text-muted">
        Your downloads appear here, with the datasets you have access to. Free datasets need only your account.
      </p>
    )
  }
  return (
    <PanelLinks>
      {granted.map(({ id, slug, name }) => (
        <PanelLink key={id} to={`${MARKETPLACE}/${slug}`}>
          <span className="min-w-0 font-semibold wrap-anywhere">{name}</span>
          <Badge look="leaf">Granted</Badge>
        </PanelLink>
      ))}
      {downloaded.slice(0, SHOWN).map(({ id, slug, name, updatedAt }) => (
        <PanelLink key={id} to={`${MARKETPLACE}/${slug}`}>
          <span className="min-w-0 font-semibold wrap-anywhere">{name}</span>
          <span className="flex items-center gap-3">
            {updatedAt !== null && updatedAt > (newest.get(id) ?? '') && <Badge look="grain">New version</Badge>}
            <time dateTime={newest.get(id)} className="font-mono text-fine text-muted">
              {dayInWords(newest.get(id) ?? '')}
            </time>
          </span>
        </PanelLink>
      ))}
    </PanelLinks>
  )
}

/** The last download of each product. */
function newestOf(downloads: readonly OwnDownload[]): Map<string, string> {
  const newest = new Map<string, string>()
  for (const { productId, createdAt } of downloads) if (createdAt > (newest.get(productId) ?? '')) newest.set(productId, createdAt)
  return newest
}
