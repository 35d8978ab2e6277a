import { MARKETPLACE, type ProductDetail } from '#app/datasets/product.ts'
import { OfferCard } from '#app/dataset-view/offer-card.tsx'
import { TakeButtons } from '#app/dataset-view/take-buttons.tsx'
import { ButtonLink } from '#app/ui/button-link.tsx'

/** The price, and what this person can do now. */
export function LiveOffer({ detail, isDownloaded }: { detail: ProductDetail; isDownloaded: boolean }) {
  const { slug, access, updatedAt } = detail
  return (
    <OfferCard detail={detail}>
      {access === 'confirm' && (
        <p className="text-small">Confirm your email address first: the letter that we sent you has a button for it.</p>
      )}
      {access === 'pay' && <ButtonLink to="#request-access">Request access</ButtonLink>}
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
