import { use, useState } from 'react'
import { apiRequest } from '#app/platform/browser/api.ts'
import { webhookEvents } from '#app/platform/jobs/webhook-event.ts'
import { FormDialog } from '#app/ui/admin/form-dialog.tsx'
import { type FormTexts, useForm } from '#app/ui/admin/use-form.ts'
import { Field, FieldError, FormContext } from '#app/ui/field.tsx'
import { Input, Select } from '#app/ui/input.tsx'
import {
  endpointBody,
  endpointChange,
  endpointFormats,
  type EndpointWithSecret,
  endpointWithSecret,
  webhookData,
  type WebhookEndpoint,
  WEBHOOKS,
} from './webhook.ts'

type EndpointFormProps = {
  /** The endpoint to edit; without one, the form creates an endpoint. */
  endpoint?: WebhookEndpoint
  close: () => void
  created: (endpoint: EndpointWithSecret) => void
}

export function EndpointForm({ endpoint, close, created }: EndpointFormProps) {
  const [format, setFormat] = useState<WebhookEndpoint['format']>(endpoint?.format ?? 'standard')
  const form = useEndpointForm(endpoint, close, created)
  return (
    <FormDialog
      form={form}
      onClose={close}
      title={endpoint ? `Edit ${endpoint.label}` : 'Create endpoint'}
      submit={endpoint ? 'Save' : 'Create endpoint'}
      pending={endpoint ? 'Saving...' : 'Creating...'}
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
      <Field label="Name" name="label" hint="The program that receives the events, such as CRM.">
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
      >
        <Input type="url" inputMode="url" autoComplete="off" defaultValue={endpoint?.url} most={2000} />
      </Field>
      <EventFields chosen={endpoint?.events ?? ['lead.created']} />
    </FormDialog>
  )
}

function useEndpointForm(endpoint: WebhookEndpoint | undefined, close: () => void, created: (endpoint: EndpointWithSecret) => void) {
  const action = {
    failed: endpoint ? 'Endpoint not saved' : 'Endpoint not created',
    touches: webhookData,
  }
  const fieldsOf = ({ label, url, format }: FormTexts, given: FormData) => ({ label, url, format, events: given.getAll('events') })
  const change = useForm({
    ...action,
    schema: endpointChange,
    read(texts, given) {
      const { format: _format, url, ...others } = fieldsOf(texts, given)
      // A new address asks for a confirmation of identity, so one that stays is not sent.
      return url === endpoint?.url ? others : { ...others, url }
    },
    send: async (body) => apiRequest('PATCH', `${WEBHOOKS}/${endpoint?.id}`, body),
    done: 'Endpoint saved',
    onDone: close,
  })
  const creation = useForm({
    ...action,
    schema: endpointBody,
    read: fieldsOf,
    send: async (body) => endpointWithSecret.parse(await (await apiRequest('POST', WEBHOOKS, body)).json()),
    // The secret of a signed endpoint is shown instead.
    done: ({ format }) => (format === 'chat' ? 'Endpoint created' : undefined),
    onDone(made) {
      close()
      if (made.format === 'standard') created(made)
    },
  })
  return endpoint ? change : creation
}

function EventFields({ chosen }: { chosen: readonly string[] }) {
  const error = use(FormContext).errors['events']
  return (
    <fieldset className="grid grid-cols-1 gap-1" aria-describedby={error && 'events-error'}>
      <legend className="mb-1 text-small font-semibold">Events</legend>
      {Object.entries(webhookEvents).map(([event, label]) => (
        <label key={event} className="flex min-h-9 flex-wrap items-center gap-x-3 text-small pointer-coarse:min-h-11">
          <input
            type="checkbox"
            name="events"
            value={event}
            defaultChecked={chosen.includes(event)}
            className="size-4.5 accent-grain-text"
          />
          {label}
          <code className="font-mono text-fine text-muted">{event}</code>
        </label>
      ))}
      {error && (
        <FieldError id="events-error" name="events">
          {error}
        </FieldError>
      )}
    </fieldset>
  )
}
