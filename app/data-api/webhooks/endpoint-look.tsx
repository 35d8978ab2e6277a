import { webhookEvents } from '#app/platform/jobs/webhook-event.ts'
import type { ListLook } from '#app/ui/admin/list-page.tsx'
import { Badge } from '#app/ui/badge.tsx'
import { formatMoment } from '#app/ui/moment.ts'
import { eventLabel, type WebhookEndpoint } from './webhook.ts'

/** The list of endpoints: its columns and words. */
export const endpointLook: ListLook<WebhookEndpoint> = {
  name: 'webhooks',
  caption: 'Endpoints',
  one: 'endpoint',
  many: 'endpoints',
  loading: 'Loading endpoints...',
  empty: {
    title: 'No endpoints yet',
    text: (
      <p>
        An endpoint receives the events that you choose, signed after the{' '}
        <a href="https://www.standardwebhooks.com" rel="noopener" className="link">
          Standard Webhooks
        </a>{' '}
        specification. Failed events are retried for 3 days.
      </p>
    ),
  },
  nameOf: ({ label }) => label,
  columns: [
    { key: 'label', head: 'Name', view: ({ label }) => label },
    { key: 'state', head: 'State', width: '10rem', from: 'small', view: (endpoint) => <EndpointState endpoint={endpoint} /> },
    { key: 'url', head: 'URL', from: 'medium', kind: 'data', view: ({ url }) => <span title={url}>{url}</span> },
    { key: 'events', head: 'Events', from: 'large', view: (endpoint) => <span title={eventsOf(endpoint)}>{eventsOf(endpoint)}</span> },
    { key: 'waiting', head: 'Undelivered', width: '11rem', from: 'medium', kind: 'data', view: undeliveredOf },
    {
      key: 'last',
      head: 'Last delivered',
      width: '11rem',
      from: 'large',
      kind: 'data',
      view: ({ lastSuccessAt }) => <Last at={lastSuccessAt} />,
    },
  ],
  renderNarrow: (endpoint) => (
    <>
      <EndpointState endpoint={endpoint} />
      <span className="w-full truncate font-mono">{endpoint.url}</span>
      <span>{undeliveredOf(endpoint)}</span>
    </>
  ),
}

const looks = { enabled: 'leaf', failing: 'grain', disabled: 'alarm' } as const
const words = { enabled: 'Enabled', failing: 'Failing', disabled: 'Disabled' } as const

export function EndpointState({ endpoint: { state, format } }: { endpoint: WebhookEndpoint }) {
  return (
    <span className="inline-flex gap-1.5">
      <Badge look={looks[state]}>{words[state]}</Badge>
      {format === 'chat' && <Badge>Chat</Badge>}
    </span>
  )
}

function eventsOf({ events }: WebhookEndpoint): string {
  return events.map((event) => eventLabel(event, webhookEvents)).join(' · ')
}

function undeliveredOf({ pending, failed }: WebhookEndpoint): string {
  return [pending > 0 && `${pending} pending`, failed > 0 && `${failed} failed`].filter(Boolean).join(', ') || '-'
}

function Last({ at }: { at: string | null }) {
  return at ? <time dateTime={at}>{formatMoment(at)}</time> : 'Never'
}
