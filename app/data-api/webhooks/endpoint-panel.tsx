import { useState } from 'react'
import { z } from 'zod/mini'
import { apiRequest } from '#app/platform/browser/api.ts'
import { webhookEvents } from '#app/platform/jobs/webhook-event.ts'
import { ActionButton, QuestionButton } from '#app/ui/admin/action-button.tsx'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { formatMoment } from '#app/ui/moment.ts'
import { DeliveryLog } from './delivery-log.tsx'
import { EndpointForm } from './endpoint-form.tsx'
import { EndpointState } from './endpoint-look.tsx'
import {
  endpointWithSecret,
  type EndpointWithSecret,
  eventLabel,
  FAILING_DAYS,
  ROTATION_HOURS,
  webhookData,
  type WebhookEndpoint,
  WEBHOOKS,
} from './webhook.ts'

type EndpointPanelProps = { endpoint: WebhookEndpoint; showSecret: (endpoint: EndpointWithSecret) => void; leave: () => void }

/** An endpoint with its state, its actions and its log, beside the list. */
export function EndpointPanel({ endpoint, showSecret, leave }: EndpointPanelProps) {
  const [isEditing, setEditing] = useState(false)
  const { id, label, url, format, events, state, failed } = endpoint
  return (
    <Dialog open side onClose={leave} title={label}>
      <div className="grid grid-cols-1 gap-4">
        <div className="grid grid-cols-1 gap-1.5">
          <p>
            <EndpointState endpoint={endpoint} />
          </p>
          <p className="font-mono text-fine text-muted wrap-anywhere">{url}</p>
          <p className="text-small text-muted">{events.map((event) => eventLabel(event, webhookEvents)).join(' · ')}</p>
        </div>
        <StateNote endpoint={endpoint} />
        <div className="flex flex-wrap gap-3">
          <SendTest id={id} label={label} />
          <Button type="button" look="quiet" size="small" aria-label={`Edit ${label}`} onClick={() => setEditing(true)}>
            Edit
          </Button>
          {format === 'standard' && <RotateSecret endpoint={endpoint} showSecret={showSecret} />}
          <Switching endpoint={endpoint} />
          <DeleteEndpoint endpoint={endpoint} leave={leave} />
          {failed > 0 && state !== 'disabled' && <ReplayFailed id={id} failed={failed} />}
        </div>
        <DeliveryLog endpoint={endpoint} />
      </div>
      {isEditing && <EndpointForm endpoint={endpoint} close={() => setEditing(false)} created={() => undefined} />}
    </Dialog>
  )
}

function StateNote({ endpoint: { state, disabledBecause, failingSince, lastSuccessAt, failed, pending } }: { endpoint: WebhookEndpoint }) {
  const counts = [pending > 0 && `${pending} pending`, failed > 0 && `${failed} failed`].filter(Boolean).join(', ')
  const last = lastSuccessAt ? `Last delivered ${formatMoment(lastSuccessAt)}.` : 'Nothing delivered yet.'
  return (
    <p className="text-small text-muted">
      {state === 'disabled' && disabledBecause === 'failures' && (
        <>It failed for {FAILING_DAYS} days, so no events are sent. Correct the receiver, send a test event, then enable it. </>
      )}
      {state === 'disabled' && disabledBecause === 'owner' && <>No events are sent or stored while it is disabled. </>}
      {state === 'failing' && failingSince && <>Failing since {formatMoment(failingSince)}. We retry each event for 3 days. </>}
      {last} {counts && `${counts}.`}
    </p>
  )
}

function SendTest({ id, label }: { id: string; label: string }) {
  const action = {
    send: async () => apiRequest('POST', `${WEBHOOKS}/${id}/test`),
    done: () => ({ title: 'Test event sent', description: 'The log shows the response.' }),
    failed: 'Test event not sent',
    touches: webhookData,
  }
  return (
    <ActionButton action={action} size="small" pending="Sending..." aria-label={`Send test event to ${label}`}>
      Send test event
    </ActionButton>
  )
}

function Switching({ endpoint: { id, label, state } }: { endpoint: WebhookEndpoint }) {
  const isDisabled = state === 'disabled'
  const action = {
    send: async () => apiRequest('PATCH', `${WEBHOOKS}/${id}`, { enabled: isDisabled }),
    done: isDisabled ? 'Endpoint enabled' : 'Endpoint disabled',
    failed: isDisabled ? 'Not enabled' : 'Not disabled',
    touches: webhookData,
  }
  return (
    <ActionButton action={action} size="small" aria-label={`${isDisabled ? 'Enable' : 'Disable'} ${label}`}>
      {isDisabled ? 'Enable' : 'Disable'}
    </ActionButton>
  )
}

const replayed = z.object({ replayed: z.number() })

function ReplayFailed({ id, failed }: { id: string; failed: number }) {
  const action = {
    send: async () => replayed.parse(await (await apiRequest('POST', `${WEBHOOKS}/${id}/replay`)).json()),
    done: ({ replayed: count }: z.infer<typeof replayed>) => `${count} ${count === 1 ? 'delivery' : 'deliveries'} replayed`,
    failed: 'Not replayed',
    touches: webhookData,
  }
  return (
    <ActionButton action={action} size="small" pending="Replaying...">
      Replay {failed} failed
    </ActionButton>
  )
}

function RotateSecret({ endpoint: { id, label }, showSecret }: Omit<EndpointPanelProps, 'leave'>) {
  const action = {
    send: async () => endpointWithSecret.parse(await (await apiRequest('POST', `${WEBHOOKS}/${id}/rotate`)).json()),
    failed: 'Secret not rotated',
    touches: webhookData,
    onDone: showSecret,
  }
  return (
    <QuestionButton
      action={action}
      size="small"
      aria-label={`Rotate secret of ${label}`}
      label="Rotate secret"
      question={`Rotate the secret of ${label}?`}
      confirm="Rotate secret"
      confirmLook="primary"
      pending="Rotating..."
    >
      <p>You get a new secret. For {ROTATION_HOURS} hours, each event is signed with both, so the receiver can change in between.</p>
    </QuestionButton>
  )
}

function DeleteEndpoint({ endpoint: { id, label }, leave }: Omit<EndpointPanelProps, 'showSecret'>) {
  const action = {
    send: async () => apiRequest('DELETE', `${WEBHOOKS}/${id}`),
    done: 'Endpoint deleted',
    failed: 'Endpoint not deleted',
    touches: webhookData,
    onDone: leave,
  }
  return (
    <QuestionButton
      action={action}
      size="small"
      aria-label={`Delete ${label}`}
      label="Delete"
      question={`Delete ${label}?`}
      confirm="Delete endpoint"
    >
      <p>Its log and its pending events are deleted with it. You can’t undo this. To stop events for a while, disable it.</p>
    </QuestionButton>
  )
}
