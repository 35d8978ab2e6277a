import { useQuery } from '@tanstack/react-query'
import { MARKETPLACE } from '#app/datasets/addresses.ts'
import type { ProductDetail } from '#app/datasets/product.ts'
import { OfferCard } from '#app/dataset-view/offer-card.tsx'
import { TakeButtons } from '#app/dataset-view/take-buttons.tsx'
import { dayInWords } from '#app/dataset-view/words.ts'
import { apiQuery } from '#app/platform/api.ts'
import { ButtonLink } from '#app/ui/button-link.tsx'
import { type OwnAccess, ownAccessUrl } from './own-access.ts'

/** The price, and what this person can do now. */
export function LiveOffer({ detail, isDownloaded }: { detail: ProductDetail; isDownloaded: boolean }) {
  const { id, slug, access, isFree, updatedAt } = detail
  return (
    <OfferCard detail={detail}>
      {access === 'confirm' && (
        <p className="text-small">Confirm your email address first: the email that we sent you has a button for it.</p>
      )}
      {access === 'pay' && <ButtonLink to="#request-access">Request access</ButtonLink>}
      {access === 'granted' && !isFree && <GrantedUntil id={id} />}
      {access === 'granted' && updatedAt && (
        <div className="flex flex-wrap gap-2">
          <TakeButtons product={detail} isDownloaded={isDownloaded} describedBy="offer" />
          <ButtonLink to={`${MARKETPLACE}/${slug}/query`} look="quiet" size="small">
            Ask with SQL
          </ButtonLink>
        </div>
      )}
    </OfferCard>
  )
}

/** Staff have everything, without anyone having granted it. */
function GrantedUntil({ id }: { id: string }) {
  const { data } = useQuery(apiQuery<OwnAccess>(ownAccessUrl(id)))
  if (!data?.grantedAt) return null
  return (
    <p className="text-small text-leaf">
      {data.grantedUntil ? (
        <>
          Yours until <time dateTime={data.grantedUntil}>{dayInWords(data.grantedUntil)}</time>
        </>
      ) : (
        'Yours, for good'
      )}
    </p>
  )
}
