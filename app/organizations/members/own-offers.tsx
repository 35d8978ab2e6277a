import { useQuery } from '@tanstack/react-query'
import { z } from 'zod/mini'
import { AccountSection } from '#app/account/settings/account-section.tsx'
import { apiQuery, apiRequest } from '#app/platform/browser/api.ts'
import { ActionButton } from '#app/ui/admin/action-button.tsx'
import { formatDay } from '#app/ui/moment.ts'
import { type Offer, OFFERS, offer } from './join-request.ts'

/** The organizations of the person's colleagues, by the domain of their address. */
export function OwnOffers() {
  const list = useQuery(apiQuery(OFFERS, z.array(offer)))
  return list.data?.map((each) => <Offered key={each.id} offer={each} />)
}

function Offered({ offer: { id, name, isAsked, mayAskFrom } }: { offer: Offer }) {
  const ask = {
    send: async () => apiRequest('POST', `${OFFERS}/${id}/ask`),
    done: `The admins of ${name} know that you would like to join`,
    failed: 'Not asked',
    touches: [OFFERS],
  }
  return (
    <AccountSection id={`offer-${id}`} title={`Your colleagues use ${name}`}>
      {isAsked && (
        <p role="status" className="text-small text-muted">
          You have asked to join. An admin has to accept first, and you get a notification.
        </p>
      )}
      {!isAsked && mayAskFrom && (
        <p className="text-small text-muted">
          Your request was declined. You can ask again from <time dateTime={mayAskFrom}>{formatDay(mayAskFrom)}</time>.
        </p>
      )}
      {!isAsked && !mayAskFrom && (
        <ActionButton action={ask} look="primary" className="justify-self-start" pending="Asking...">
          Ask to join
        </ActionButton>
      )}
    </AccountSection>
  )
}
