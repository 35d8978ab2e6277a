import { z } from 'zod/mini'
import { atMost, oneLine } from '#app/platform/text/clean-text.ts'
import { isWebhookEvent, type WebhookEvent } from '#app/platform/jobs/webhook-event.ts'

export const WEBHOOKS = '/api/webhooks'
export const WEBHOOK_DELIVERIES = '/api/webhook-deliveries'
/** What a change of webhooks touches: endpoints and logs. */
export const webhookData = [WEBHOOKS, WEBHOOK_DELIVERIES]

/** More would make each event a burst of requests. */
export const MOST_ENDPOINTS = 20
/** Of pages with pending deliveries: soon enough to show the result of a test event, rarely enough for a page that stays open. */
export const RELOAD_MS = 4000
/** The log keeps deliveries for so many days. */
export const LOG_DAYS = 30
/** After a rotation, both secrets sign for so many hours. */
export const ROTATION_HOURS = 24
/** An endpoint that fails for so many days without a success is disabled. */
export const FAILING_DAYS = 5

export const endpointFormats = {
  standard: { label: 'Standard Webhooks', hint: 'Signed JSON, for programs.' },
  chat: { label: 'Chat message', hint: 'One line of text, for Slack and compatible chat services.' },
} as const

/** The event of the test button. No endpoint chooses it. */
export const TEST_EVENT = 'webhook.test'

const LABEL = 'Enter a name of 1 to 60 characters.'
const URL_TEXT = 'Enter an address that begins with https://.'
const EVENTS = 'Choose at least one event.'

const label = z.string(LABEL).check(z.overwrite(oneLine), z.minLength(1, LABEL), ...atMost(60, LABEL))
const url = z.string(URL_TEXT).check(z.overwrite(oneLine), z.minLength(1, URL_TEXT), z.maxLength(2000, 'The address is too long.'))
const events = z
  .array(z.string(EVENTS).check(z.refine(isWebhookEvent, 'Unknown event.')), EVENTS)
  .check(z.minLength(1, EVENTS), z.maxLength(20, EVENTS))

export const endpointBody = z.object({ label, url, events, format: z.enum(['standard', 'chat'], 'Choose a format.') })

export type EndpointBody = z.infer<typeof endpointBody>

/** The format stays: another one is another receiver. */
export const endpointChange = z.object({
  label: z.optional(label),
  url: z.optional(url),
  events: z.optional(events),
  enabled: z.optional(z.boolean('Enabled is true or false.')),
})

export type EndpointChange = z.infer<typeof endpointChange>

/** `failed` counts deliveries of the log that can be replayed. */
export const webhookEndpoint = z.object({
  id: z.string(),
  label: z.string(),
  format: z.enum(['standard', 'chat']),
  url: z.string(),
  events: z.array(z.string()),
  state: z.enum(['enabled', 'disabled', 'failing']),
  disabledBecause: z.nullable(z.enum(['owner', 'failures'])),
  failingSince: z.nullable(z.string()),
  lastSuccessAt: z.nullable(z.string()),
  failed: z.number(),
  pending: z.number(),
  createdAt: z.string(),
})

export type WebhookEndpoint = z.infer<typeof webhookEndpoint>

/** The only responses that contain the secret are those of creating and rotating. */
export const endpointWithSecret = z.extend(webhookEndpoint, { secret: z.string() })

export type EndpointWithSecret = z.infer<typeof endpointWithSecret>

export const deliveryStates = ['pending', 'delivered', 'failed'] as const

const webhookDelivery = z.object({
  id: z.string(),
  messageId: z.string(),
  event: z.string(),
  state: z.enum(deliveryStates),
  attempts: z.number(),
  /** Of the last attempt. */
  lastStatus: z.nullable(z.number()),
  lastError: z.nullable(z.string()),
  nextAttemptAt: z.nullable(z.string()),
  createdAt: z.string(),
})

export type WebhookDelivery = z.infer<typeof webhookDelivery>

export const deliveryPage = z.object({ items: z.array(webhookDelivery), nextCursor: z.nullable(z.string()) })

export const deliveryDetail = z.extend(webhookDelivery, {
  body: z.string(),
  tries: z.array(
    z.object({
      id: z.string(),
      status: z.nullable(z.number()),
      error: z.nullable(z.string()),
      response: z.string(),
      ms: z.number(),
      createdAt: z.string(),
    }),
  ),
})

export type DeliveryDetail = z.infer<typeof deliveryDetail>

/** The labels of events that an endpoint can choose, and of the test. */
export function eventLabel(event: string, labels: Record<WebhookEvent, string>): string {
  return isWebhookEvent(event) ? labels[event] : 'Test event'
}
