import type { UseQueryResult } from '@tanstack/react-query'
import { areas } from '#app/content/areas.ts'
import { apiRequest } from '#app/platform/browser/api.ts'
import { ActionButton } from '#app/ui/admin/action-button.tsx'
import { type ListLook, ListPage } from '#app/ui/admin/list-page.tsx'
import { formatMoment } from '#app/ui/moment.ts'
import { accountData } from '#app/users/user-admin.ts'
import { type Decision, type PendingRequest, REQUESTS } from './access-request.ts'

const whoOf = ({ email, name }: PendingRequest) => email ?? name ?? 'Someone'

const look: ListLook<PendingRequest> = {
  name: 'access-requests',
  caption: 'Access requests',
  one: 'request',
  many: 'requests',
  loading: 'Loading requests...',
  empty: { title: 'No pending requests', text: 'Customers’ requests for staff access appear here.' },
  nameOf: whoOf,
  columns: [
    { key: 'person', head: 'Person', view: (request) => <span className="font-medium">{request.name ?? whoOf(request)}</span> },
    { key: 'email', head: 'Email', from: 'medium', view: ({ email }) => <span title={email ?? undefined}>{email}</span> },
    { key: 'area', head: 'Area', width: '12rem', from: 'large', view: ({ area }) => areas[area].title },
    { key: 'asked', head: 'Requested', width: '11rem', from: 'medium', kind: 'data', view: (request) => <Asked request={request} /> },
    { key: 'decide', head: 'Decision', width: '13rem', view: (request) => <Decide request={request} /> },
  ],
  renderNarrow: (request) => (
    <>
      <span className="w-full wrap-anywhere">
        {request.name && `${whoOf(request)} · `}requests {areas[request.area].title}
      </span>
      <Asked request={request} />
    </>
  ),
}

/** Pending requests for staff access, each decided with one click. */
export function RequestList({ requests }: { requests: UseQueryResult<PendingRequest[]> }) {
  return <ListPage {...look} list={requests} rows={requests.data} />
}

function Asked({ request: { requestedAt } }: { request: PendingRequest }) {
  return <time dateTime={requestedAt}>{formatMoment(requestedAt)}</time>
}

const NOT_PROVEN = 'This account has not confirmed its address yet. It can become staff once it has.'

function Decide({ request }: { request: PendingRequest }) {
  const decide = (decision: Decision) => ({
    send: async () => apiRequest('POST', `${REQUESTS}/${request.id}`, { decision }),
    done: 'Decision saved and emailed',
    failed: 'Decision not saved',
    touches: accountData,
  })
  const who = whoOf(request)
  return (
    <span className="flex flex-wrap gap-2">
      <ActionButton
        action={decide('grant')}
        look="primary"
        size="small"
        aria-label={`Make ${who} staff`}
        {...(!request.isProven && { unavailable: NOT_PROVEN })}
      >
        Make staff
      </ActionButton>
      <ActionButton action={decide('decline')} size="small" aria-label={`Decline ${who}`}>
        Decline
      </ActionButton>
    </span>
  )
}
