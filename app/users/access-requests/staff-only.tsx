import { useQuery } from '@tanstack/react-query'
import { z } from 'zod/mini'
import { type AreaName, areas } from '#app/content/areas.ts'
import { apiQuery, apiRequest } from '#app/platform/browser/api.ts'
import { ActionButton } from '#app/ui/admin/action-button.tsx'
import { formatLongDay } from '#app/ui/moment.ts'
import { NotYours } from './not-yours.tsx'
import { sentRequest } from './access-request.ts'

/** The page of a staff area for customers, with a button to request access. */
export function StaffOnly({ area }: { area: AreaName }) {
  const { title, purpose, uses, needs } = areas[area]
  return (
    <NotYours title={title} purpose={purpose} uses={uses} needs={needs}>
      <RequestAccess area={area} />
    </NotYours>
  )
}

const REQUESTS_SENT = '/api/access-requests'
const requestsQuery = apiQuery(REQUESTS_SENT, z.array(sentRequest))

/** Asks the owner once; later it shows when the request was sent. */
function RequestAccess({ area }: { area: AreaName }) {
  const requests = useQuery(requestsQuery)
  const ask = {
    send: async () => apiRequest('POST', REQUESTS_SENT, { area }),
    failed: 'Request not sent',
    touches: [REQUESTS_SENT],
  }
  const sent = requests.data?.find((request) => request.area === area)
  if (sent) {
    return (
      <p role="status">
        Requested on <time dateTime={sent.requestedAt}>{formatLongDay(sent.requestedAt)}</time>. We emailed the owner, who will reply to
        you.
      </p>
    )
  }
  return (
    <ActionButton action={ask} look="primary" pending="Sending...">
      Request access
    </ActionButton>
  )
}
