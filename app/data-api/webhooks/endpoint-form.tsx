import { useState } from 'react'
import { z } from 'zod/mini'
import { webhookEvents } from '#app/platform/webhook-event.ts'
import { Field } from '#app/ui/field.tsx'
import { FormDialog } from '#app/ui/form-dialog.tsx'
import { Input, Select } from '#app/ui/input.tsx'
import { toast } from '#app/ui/toast.ts'
import { useWebhookAction } from './use-webhooks.ts'
import { endpointFormats, type EndpointWithSecret, endpointWithSecret, type WebhookEndpoint, WEBHOOKS } from './webhook.ts'

const EVENT = 'event:'

type EndpointFormProps = {
  /** The endpoint to edit; without one, the form creates an endpoint. */
  endpoint?: WebhookEndpoint
  close: () => void
  created: (endpoint: EndpointWithSecret) => void
}

export function EndpointForm({ endpoint, close, created }: EndpointFormProps) {
  const [format, setFormat] = useState<WebhookEndpoint['format']>(endpoint?.format ?? 'standard')
  const { run, busy, errors } = useWebhookAction(endpoint ? 'Endpoint not saved' : 'Endpoint not created', (answer) => {
    close()
    const made = z.safeParse(endpointWithSecret, answer)
    if (made.success && made.data.format === 'standard') created(made.data)
    else toast({ title: endpoint ? 'Endpoint saved' : 'Endpoint created' })
  })
  const submit = (given: Record<string, string>) => {
    const events = Object.keys(given).flatMap((name) => (name.startsWith(EVENT) ? [name.slice(EVENT.length)] : []))
    const body = { label: given['label'] ?? '', url: given['url'] ?? '', events }
    // A new address asks for a confirmation of identity, so one that stays is not sent.
    const { url, ...others } = body
    if (endpoint) run({ method: 'PATCH', url: `${WEBHOOKS}/${endpoint.id}`, body: url === endpoint.url ? others : body })
    else run({ method: 'POST', url: WEBHOOKS, body: { ...body, format } })
  }
  const [idle, working] = endpoint ? ['Save', 'Saving...'] : ['Create endpoint', 'Creating...']
  return (
    <FormDialog
      onClose={close}
      title={endpoint ? `Edit ${endpoint.label}` : 'Create endpoint'}
      submit={busy ? working : idle}
      busy={busy}
      onSubmit={submit}
    >
      {!endpoint && (
        <Field label="Format" name="format" hint={endpointFormats[format].hint}>
          <Select value={format} onChange={({ target }) => setFormat(target.value === 'chat' ? 'chat' : 'standard')}>
            {Object.entries(endpointFormats).map(([value, { label }]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
        </Field>
      )}
      <Field label="Name" name="label" hint="The program that receives the events, such as CRM." error={errors['label']}>
        <Input autoComplete="off" defaultValue={endpoint?.label} most={60} />
      </Field>
      <Field
        label="URL"
        name="url"
        hint={
          format === 'chat'
            ? 'The incoming webhook URL of your channel. It is a secret: we store it encrypted.'
            : 'It must begin with https://.'
        }
        error={errors['url']}
      >
        <Input type="url" inputMode="url" autoComplete="off" defaultValue={endpoint?.url} most={2000} />
      </Field>
      <EventFields chosen={endpoint?.events ?? ['lead.created']} error={errors['events']} />
    </FormDialog>
  )
}

function EventFields({ chosen, error }: { chosen: readonly string[]; error: string | undefined }) {
  return (
    <fieldset className="grid grid-cols-1 gap-1" aria-describedby={error && 'events-error'}>
      <legend className="mb-1 text-small font-semibold">Events</legend>
      {Object.entries(webhookEvents).map(([event, label]) => (
        <label key={event} className="flex min-h-9 flex-wrap items-center gap-x-3 text-small pointer-coarse:min-h-11">
          <input type="checkbox" name={EVENT + event} defaultChecked={chosen.includes(event)} className="size-4.5 accent-grain-text" />
          {label}
          <code className="font-mono text-fine text-muted">{event}</code>
        </label>
      ))}
      {error && (
        <p id="events-error" className="text-small font-medium text-alarm">
          {error}
        </p>
      )}
    </fieldset>
  )
}
