import { useState } from 'react'
import { z } from 'zod/mini'
import { webhookEvents } from '#app/platform/webhook-event.ts'
import { Badge } from '#app/ui/badge.tsx'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import { formatMoment } from '#app/ui/moment.ts'
import { toast } from '#app/ui/toast.ts'
import { DeliveryLog } from './delivery-log.tsx'
import { EndpointForm } from './endpoint-form.tsx'
import { useWebhookAction } from './use-webhooks.ts'
import {
  endpointWithSecret,
  type EndpointWithSecret,
  eventLabel,
  FAILING_DAYS,
  ROTATION_HOURS,
  type WebhookEndpoint,
  WEBHOOKS,
} from './webhook.ts'

type Open = 'edit' | 'rotate' | 'delete'

const looks = { enabled: 'leaf', failing: 'grain', disabled: 'alarm' } as const
const words = { enabled: 'Enabled', failing: 'Failing', disabled: 'Disabled' } as const

type EndpointItemProps = { endpoint: WebhookEndpoint; showSecret: (endpoint: EndpointWithSecret) => void }

/** An endpoint with its state, its actions and its log. */
export function EndpointItem({ endpoint, showSecret }: EndpointItemProps) {
  const [open, setOpen] = useState<Open>()
  const [hasLog, setLog] = useState(false)
  const close = () => setOpen(undefined)
  const { id, label, url, format, events, state, failed } = endpoint
  return (
    <Card as="section" aria-label={label} className="grid grid-cols-1 gap-4">
      <div className="grid grid-cols-1 gap-1.5">
        <h2 className="flex flex-wrap items-center gap-x-3 gap-y-1 text-h3">
          <span className="wrap-anywhere">{label}</span>
          <Badge look={looks[state]}>{words[state]}</Badge>
          {format === 'chat' && <Badge>Chat</Badge>}
        </h2>
        <p className="font-mono text-fine text-muted wrap-anywhere">{url}</p>
        <p className="text-small text-muted">{events.map((event) => eventLabel(event, webhookEvents)).join(' · ')}</p>
      </div>
      <StateNote endpoint={endpoint} />
      <div className="flex flex-wrap gap-3">
        <SendTest id={id} label={label} sent={() => setLog(true)} />
        <Button
          type="button"
          look="quiet"
          size="small"
          aria-expanded={hasLog}
          aria-label={`Log of ${label}`}
          onClick={() => setLog(!hasLog)}
        >
          Log
        </Button>
        <Button type="button" look="quiet" size="small" aria-label={`Edit ${label}`} onClick={() => setOpen('edit')}>
          Edit
        </Button>
        {format === 'standard' && (
          <Button type="button" look="quiet" size="small" aria-label={`Rotate secret of ${label}`} onClick={() => setOpen('rotate')}>
            Rotate secret
          </Button>
        )}
        <Switching endpoint={endpoint} />
        <Button type="button" look="quiet" size="small" aria-label={`Delete ${label}`} onClick={() => setOpen('delete')}>
          Delete
        </Button>
        {failed > 0 && state !== 'disabled' && <ReplayFailed id={id} failed={failed} />}
      </div>
      {hasLog && <DeliveryLog endpoint={endpoint} />}
      {open === 'edit' && <EndpointForm endpoint={endpoint} close={close} created={() => undefined} />}
      {open === 'rotate' && <RotateDialog endpoint={endpoint} close={close} showSecret={showSecret} />}
      {open === 'delete' && <DeleteDialog endpoint={endpoint} close={close} />}
    </Card>
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

function SendTest({ id, label, sent }: { id: string; label: string; sent: () => void }) {
  const { run, busy } = useWebhookAction('Test event not sent', () => {
    toast({ title: 'Test event sent', description: 'The log shows the response.' })
    sent()
  })
  return (
    <Button
      type="button"
      look="quiet"
      size="small"
      busy={busy}
      aria-label={`Send test event to ${label}`}
      onClick={() => run({ method: 'POST', url: `${WEBHOOKS}/${id}/test` })}
    >
      Send test event
    </Button>
  )
}

function Switching({ endpoint: { id, label, state } }: { endpoint: WebhookEndpoint }) {
  const isDisabled = state === 'disabled'
  const { run, busy } = useWebhookAction(isDisabled ? 'Not enabled' : 'Not disabled', () =>
    toast({ title: isDisabled ? 'Endpoint enabled' : 'Endpoint disabled' }),
  )
  return (
    <Button
      type="button"
      look="quiet"
      size="small"
      busy={busy}
      aria-label={`${isDisabled ? 'Enable' : 'Disable'} ${label}`}
      onClick={() => run({ method: 'PATCH', url: `${WEBHOOKS}/${id}`, body: { enabled: isDisabled } })}
    >
      {isDisabled ? 'Enable' : 'Disable'}
    </Button>
  )
}

const replayed = z.object({ replayed: z.number() })

function ReplayFailed({ id, failed }: { id: string; failed: number }) {
  const { run, busy } = useWebhookAction('Not replayed', (answer) => {
    const { replayed: count } = z.parse(replayed, answer)
    toast({ title: `${count} ${count === 1 ? 'delivery' : 'deliveries'} replayed` })
  })
  return (
    <Button type="button" look="quiet" size="small" busy={busy} onClick={() => run({ method: 'POST', url: `${WEBHOOKS}/${id}/replay` })}>
      Replay {failed} failed
    </Button>
  )
}

type RotateProps = EndpointItemProps & { close: () => void }

function RotateDialog({ endpoint: { id, label }, close, showSecret }: RotateProps) {
  const { run, busy } = useWebhookAction('Secret not rotated', (answer) => {
    close()
    showSecret(z.parse(endpointWithSecret, answer))
  })
  return (
    <ConfirmDialog
      open
      onClose={close}
      onConfirm={() => run({ method: 'POST', url: `${WEBHOOKS}/${id}/rotate` })}
      title={`Rotate the secret of ${label}?`}
      confirm={busy ? 'Rotating...' : 'Rotate secret'}
      look="primary"
      busy={busy}
    >
      <p>You get a new secret. For {ROTATION_HOURS} hours, each event is signed with both, so the receiver can change in between.</p>
    </ConfirmDialog>
  )
}

function DeleteDialog({ endpoint: { id, label }, close }: { endpoint: WebhookEndpoint; close: () => void }) {
  const { run, busy } = useWebhookAction('Endpoint not deleted', () => {
    close()
    toast({ title: 'Endpoint deleted' })
  })
  return (
    <ConfirmDialog
      open
      onClose={close}
      onConfirm={() => run({ method: 'DELETE', url: `${WEBHOOKS}/${id}` })}
      title={`Delete ${label}?`}
      confirm={busy ? 'Deleting...' : 'Delete endpoint'}
      busy={busy}
    >
      <p>Its log and its pending events are deleted with it. You can’t undo this. To stop events for a while, disable it.</p>
    </ConfirmDialog>
  )
}
