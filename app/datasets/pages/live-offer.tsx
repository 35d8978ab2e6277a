import { useQuery } from '@tanstack/react-query'
import { MARKETPLACE } from '#app/datasets/catalog/addresses.ts'
import type { ProductDetail } from '#app/datasets/catalog/product.ts'
import { OfferCard } from './offer-card.tsx'
import { TakeButtons } from './download-buttons.tsx'
import { dayInWords } from './words.ts'
import { apiQuery } from '#app/platform/browser/api.ts'
import { ButtonLink } from '#app/ui/button-link.tsx'
import { ownAccessUrl, ownAccess } from './own-access.ts'

/** The price and the user's next action. */
export function LiveOffer({ detail, isDownloaded }: { detail: ProductDetail; isDownloaded: boolean }) {
  const { id, slug, access, isFree, updatedAt } = detail
  return (
    <OfferCard detail={detail}>
      {access === 'confirm' && (
        <p className="text-small">Confirm your email address first. Use the button in the email that we sent you.</p>
      )}
      {access === 'pay' && <ButtonLink to="#request-access">Request access</ButtonLink>}
      {access === 'granted' && !isFree && <GrantedUntil id={id} />}
      {access === 'granted' && updatedAt && (
        <div className="flex flex-wrap gap-2">
          <TakeButtons product={detail} isDownloaded={isDownloaded} describedBy="offer" />
          <ButtonLink to={`${MARKETPLACE}/${slug}/query`} look="quiet" size="small">
            Query with SQL
          </ButtonLink>
        </div>
      )}
    </OfferCard>
  )
}

/** Staff have access without a grant. */
function GrantedUntil({ id }: { id: string }) {
  const { data } = useQuery(apiQuery(ownAccessUrl(id), ownAccess))
  if (!data?.grantedAt) return null
  return (
    <p className="text-small text-leaf">
      {data.grantedUntil ? (
        <>
          Access until <time dateTime={data.grantedUntil}>{dayInWords(data.grantedUntil)}</time>
        </>
      ) : (
        'Access does not expire'
      )}
    </p>
  )
}
