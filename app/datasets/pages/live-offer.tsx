import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { MARKETPLACE } from '#app/datasets/catalog/addresses.ts'
import { priceInWords } from '#app/datasets/catalog/price.ts'
import type { ProductDetail } from '#app/datasets/catalog/product.ts'
import { OfferCard } from './offer-card.tsx'
import { DownloadedFor, TakeButtons } from './download-buttons.tsx'
import { dayInWords } from './words.ts'
import { apiQuery } from '#app/platform/browser/api.ts'
import { ButtonLink } from '#app/ui/button-link.tsx'
import { ownAccessUrl, ownAccess } from './own-access.ts'

type LiveOfferProps = { detail: ProductDetail }

/** The price and the user's next action. Who has the data sees the ways to take it in one line, so that the rows begin above the fold. */
export function LiveOffer({ detail }: LiveOfferProps) {
  const { access, isFree, updatedAt, checkoutUrl } = detail
  if (access === 'granted' && updatedAt) return <WaysToTake detail={detail} />
  return (
    <OfferCard detail={detail}>
      {access === 'confirm' && (
        <p className="text-small">Confirm your email address first. Use the button in the email that we sent you.</p>
      )}
      {access === 'pay' && checkoutUrl && (
        <>
          <ButtonLink to={checkoutUrl}>Buy</ButtonLink>
          <Link to="#request-access" className="link text-small">
            Or request access
          </Link>
        </>
      )}
      {access === 'pay' && !checkoutUrl && <ButtonLink to="#request-access">Request access</ButtonLink>}
      {access === 'granted' && !isFree && <GrantedUntil detail={detail} />}
    </OfferCard>
  )
}

function WaysToTake({ detail }: LiveOfferProps) {
  const { slug, price, isFree } = detail
  return (
    <section aria-labelledby="offer" className="grid gap-2 lg:justify-items-end">
      <h2 id="offer" className="font-mono text-h3 leading-tight font-medium tracking-tight tabular-nums">
        {priceInWords(price)}
      </h2>
      {!isFree && <GrantedUntil detail={detail} />}
      <div className="flex flex-wrap gap-2 lg:justify-end">
        <TakeButtons product={detail} describedBy="offer" />
        <ButtonLink to={`${MARKETPLACE}/${slug}/query`} look="quiet" size="small">
          Query with SQL
        </ButtonLink>
      </div>
      <DownloadedFor id={detail.id} />
    </section>
  )
}

/** Staff have access without a grant. */
function GrantedUntil({ detail: { id, updatedAt, checkoutUrl } }: { detail: ProductDetail }) {
  const { data } = useQuery(apiQuery(ownAccessUrl(id), ownAccess))
  if (!data?.grantedAt) return null
  const isBehind = data.versionsUntil !== null && updatedAt !== null && updatedAt > data.versionsUntil
  return (
    <p className="text-small text-leaf">
      {data.grantedUntil ? (
        <>
          Access until <time dateTime={data.grantedUntil}>{dayInWords(data.grantedUntil)}</time>
        </>
      ) : (
        'Access does not expire'
      )}
      {data.versionsUntil && (
        <>
          ; includes versions until <time dateTime={data.versionsUntil}>{dayInWords(data.versionsUntil)}</time>
        </>
      )}
      {isBehind && checkoutUrl && (
        <Link to={checkoutUrl} className="link ml-2">
          Buy newer versions
        </Link>
      )}
    </p>
  )
}
