import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { z } from 'zod/mini'
import { apiQuery, apiRequest } from '#app/platform/browser/api.ts'
import { webhookEvents } from '#app/platform/jobs/webhook-event.ts'
import { ActionButton } from '#app/ui/admin/action-button.tsx'
import { Badge } from '#app/ui/badge.tsx'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { Field } from '#app/ui/field.tsx'
import { Select } from '#app/ui/input.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { formatMoment } from '#app/ui/moment.ts'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { Cell, HeadCell, Table, TableRow } from '#app/ui/table.tsx'
import { numberText } from '#app/platform/text/english-number.ts'
import { countOf } from '#app/ui/amount.ts'
import {
  deliveryDetail,
  type DeliveryDetail,
  deliveryPage,
  deliveryStates,
  eventLabel,
  LOG_DAYS,
  RELOAD_MS,
  WEBHOOK_DELIVERIES,
  webhookData,
  type WebhookDelivery,
  type WebhookEndpoint,
  WEBHOOKS,
} from './webhook.ts'

const looks = { pending: 'grain', delivered: 'leaf', failed: 'alarm' } as const
const words = { pending: 'Pending', delivered: 'Delivered', failed: 'Failed' } as const

/** The deliveries of an endpoint, newest first. It reloads while some are pending. */
export function DeliveryLog({ endpoint: { id, label } }: { endpoint: WebhookEndpoint }) {
  const [state, setState] = useState<WebhookDelivery['state']>()
  const [shown, setShown] = useState<string>()
  const url = `${WEBHOOKS}/${id}/deliveries${state ? `?state=${state}` : ''}`
  const log = useInfiniteQuery({
    queryKey: [url],
    queryFn: async ({ pageParam, signal }) => {
      const address = pageParam ? `${url}${state ? '&' : '?'}cursor=${pageParam}` : url
      return z.parse(deliveryPage, await (await apiRequest('GET', address, undefined, { signal })).json())
    },
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    refetchInterval: ({ state: { data } }) => data?.pages.some(({ items }) => items.some((item) => item.state === 'pending')) && RELOAD_MS,
  })
  return (
    <div className="grid grid-cols-1 gap-3 border-t border-line pt-4">
      <Field label="State" name="state" tool>
        <Select value={state ?? ''} onChange={({ target }) => setState(deliveryStates.find((each) => each === target.value))}>
          <option value="">All</option>
          {deliveryStates.map((each) => (
            <option key={each} value={each}>
              {words[each]}
            </option>
          ))}
        </Select>
      </Field>
      {log.isPending && (
        <div>
          <Loading>Loading the log...</Loading>
          <Skeleton lines={3} />
        </div>
      )}
      {log.isError && <Failed error={log.error} retry={log.refetch} />}
      {log.data && (
        <Rows label={label} items={log.data.pages.flatMap(({ items }) => items)} isFiltered={state !== undefined} show={setShown} />
      )}
      {log.hasNextPage && (
        <span>
          <Button type="button" look="quiet" size="small" busy={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
            {log.isFetchingNextPage ? 'Loading...' : 'Load more'}
          </Button>
        </span>
      )}
      {shown && <DeliveryDialog id={shown} close={() => setShown(undefined)} />}
    </div>
  )
}

type RowsProps = { label: string; items: WebhookDelivery[]; isFiltered: boolean; show: (id: string) => void }

function Rows({ label, items, isFiltered, show }: RowsProps) {
  if (items.length === 0) {
    return (
      <p className="text-small text-muted">
        {isFiltered ? 'No deliveries in this state.' : `No deliveries in the last ${LOG_DAYS} days. Send a test event to see one.`}
      </p>
    )
  }
  return (
    <Table caption={`Deliveries to ${label}`}>
      <thead>
        <tr>
          <HeadCell>Event</HeadCell>
          <HeadCell>State</HeadCell>
        </tr>
      </thead>
      <tbody>
        {items.map(({ id, event, state, lastStatus, lastError, attempts, createdAt, nextAttemptAt }) => (
          <TableRow key={id}>
            <Cell>
              <button type="button" className="link text-left" onClick={() => show(id)}>
                {eventLabel(event, webhookEvents)}
              </button>
              <span className="block text-fine text-muted">
                {[formatMoment(createdAt), attempts > 0 && countOf(attempts, 'attempt', 'attempts')].filter(Boolean).join(' · ')}
              </span>
              {(lastStatus ?? lastError) !== null && <span className="block text-fine">{lastError ?? `Response ${lastStatus}`}</span>}
            </Cell>
            <Cell>
              <Badge look={looks[state]}>{words[state]}</Badge>
              {nextAttemptAt && attempts > 0 && <span className="block text-fine text-muted">next {formatMoment(nextAttemptAt)}</span>}
            </Cell>
          </TableRow>
        ))}
      </tbody>
    </Table>
  )
}

function DeliveryDialog({ id, close }: { id: string; close: () => void }) {
  const delivery = useQuery({
    ...apiQuery(`${WEBHOOK_DELIVERIES}/${id}`, deliveryDetail),
    refetchInterval: ({ state: { data } }) => data?.state === 'pending' && RELOAD_MS,
  })
  const again = { send: async () => apiRequest('POST', `${WEBHOOK_DELIVERIES}/${id}/replay`), touches: webhookData }
  const isWaiting = delivery.data?.state === 'pending' && delivery.data.attempts > 0
  const actions =
    delivery.data &&
    (isWaiting ? (
      <ActionButton action={{ ...again, done: 'Delivery is being sent', failed: 'Not sent' }} look="primary" pending="Sending...">
        Send now
      </ActionButton>
    ) : (
      delivery.data.state !== 'pending' && (
        <ActionButton action={{ ...again, done: 'Delivery replayed', failed: 'Not replayed' }} look="primary" pending="Replaying...">
          Replay
        </ActionButton>
      )
    ))
  return (
    <Dialog open side onClose={close} title="Delivery" actions={actions}>
      {delivery.isPending && (
        <div>
          <Loading>Loading the delivery...</Loading>
          <Skeleton lines={6} />
        </div>
      )}
      {delivery.isError && <Failed error={delivery.error} retry={delivery.refetch} />}
      {delivery.data && <Detail delivery={delivery.data} />}
    </Dialog>
  )
}

function Detail({ delivery: { event, state, messageId, body, tries, nextAttemptAt } }: { delivery: DeliveryDetail }) {
  return (
    <div className="grid grid-cols-1 gap-5">
      <p className="flex flex-wrap items-center gap-3 text-small">
        <code className="font-mono">{event}</code>
        <Badge look={looks[state]}>{words[state]}</Badge>
        <code className="font-mono text-fine text-muted wrap-anywhere">{messageId}</code>
      </p>
      <section className="grid grid-cols-1 gap-2">
        <h3 className="text-small font-semibold">Payload</h3>
        <Text text={pretty(body)} />
      </section>
      <section className="grid grid-cols-1 gap-3">
        <h3 className="text-small font-semibold">Attempts</h3>
        {tries.length === 0 && <p className="text-small text-muted">None yet.</p>}
        {tries.length > 0 && nextAttemptAt && <p className="text-small text-muted">The next one is at {formatMoment(nextAttemptAt)}.</p>}
        {tries.toReversed().map(({ id, status, error, response, ms, createdAt }) => (
          <div key={id} className="grid grid-cols-1 gap-1.5">
            <p className="text-small">
              <span className={error ? 'font-medium text-alarm' : 'font-medium text-leaf'}>{error ?? `Responded ${status}.`}</span>{' '}
              <span className="text-muted">
                {formatMoment(createdAt)} · {numberText(ms)} ms
              </span>
            </p>
            {response && <Text text={response} />}
          </div>
        ))}
      </section>
    </div>
  )
}

function Text({ text }: { text: string }) {
  return (
    <pre className="max-h-72 overflow-auto rounded-control border border-line bg-sunken px-3 py-2 font-mono text-fine whitespace-pre-wrap wrap-anywhere">
      {text}
    </pre>
  )
}

function pretty(json: string): string {
  return JSON.stringify(JSON.parse(json), null, 2)
}
