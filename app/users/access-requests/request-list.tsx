import type { UseQueryResult } from '@tanstack/react-query'
import { areas } from '#app/content/areas.ts'
import { Card } from '#app/ui/card.tsx'
import { Empty } from '#app/ui/empty.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { type Decision, type PendingRequest, REQUESTS } from './access-decision.ts'
import { apiRequest } from '#app/platform/browser/api.ts'
import { ActionButton } from '#app/ui/admin/action-button.tsx'
import { formatMoment } from '#app/ui/moment.ts'
import { accountData } from '#app/users/user-admin.ts'

/** Pending requests for staff access, each decided with one click. */
export function RequestList({ requests }: { requests: UseQueryResult<PendingRequest[]> }) {
  if (requests.isPending) return <Loading>Loading requests...</Loading>
  if (requests.isError) return <Failed error={requests.error} retry={requests.refetch} />
  if (requests.data.length === 0) {
    return (
      <Empty title="No pending requests">
        <p>Customers’ requests for staff access appear here.</p>
      </Empty>
    )
  }
  return (
    <ul className="grid gap-4">
      {requests.data.map((request) => (
        <Request key={request.id} request={request} />
      ))}
    </ul>
  )
}

const NOT_PROVEN = 'This account has not confirmed its address yet. It can become staff once it has.'

function Request({ request: { id, email, name, area, requestedAt, isProven } }: { request: PendingRequest }) {
  const answer = (decision: Decision) => ({
    send: async () => apiRequest('POST', `${REQUESTS}/${id}`, { decision }),
    done: 'Decision saved and emailed',
    failed: 'Decision not saved',
    touches: accountData,
  })
  const who = email ?? name ?? 'Someone'
  return (
    <Card as="li" className="flex flex-wrap items-center justify-between gap-x-6 gap-y-4">
      <div className="grid min-w-0 gap-1">
        <p className="font-semibold break-words">{name ?? who}</p>
        <p className="text-small break-words text-muted">
          {name && `${who} · `}requests {areas[area].title}, <time dateTime={requestedAt}>{formatMoment(requestedAt)}</time>
        </p>
      </div>
      <div className="flex flex-wrap gap-3">
        <ActionButton
          action={answer('grant')}
          look="primary"
          aria-label={`Make ${who} staff`}
          {...(!isProven && { unavailable: NOT_PROVEN })}
        >
          Make staff
        </ActionButton>
        <ActionButton action={answer('decline')} aria-label={`Decline ${who}`}>
          Decline
        </ActionButton>
      </div>
    </Card>
  )
}
