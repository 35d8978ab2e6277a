import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { z } from 'zod/mini'
import { type AreaName, areas } from '#app/content/areas.ts'
import { ApiError, apiQuery, apiRequest } from '#app/platform/browser/api.ts'
import { Button } from '#app/ui/button.tsx'
import { formatLongDay } from '#app/ui/moment.ts'
import { toast } from '#app/ui/toast.ts'
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

const requestsQuery = apiQuery('/api/access-requests', z.array(sentRequest))

/** Asks the owner once; later it shows when the request was sent. */
function RequestAccess({ area }: { area: AreaName }) {
  const client = useQueryClient()
  const requests = useQuery(requestsQuery)
  const ask = useMutation({
    mutationFn: async () => apiRequest('POST', '/api/access-requests', { area }),
    onSuccess: async () => client.invalidateQueries(requestsQuery),
    onError: (error) => {
      if (error instanceof ApiError && error.status === 401) return
      toast({ title: 'Request not sent', description: error instanceof ApiError ? error.detail : 'Please try again.', look: 'danger' })
    },
  })
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
    <Button type="button" busy={ask.isPending} onClick={() => ask.mutate()}>
      {ask.isPending ? 'Sending...' : 'Request access'}
    </Button>
  )
}
