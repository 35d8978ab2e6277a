import type Stripe from 'stripe'
import type { ProviderEvent } from '#app/billing/payments/provider.server.ts'
import { env } from '#app/platform/env.server.ts'
import { isLiveKey, stripeClient } from './stripe-client.server.ts'
import { momentOf } from './stripe-objects.server.ts'

/** In seconds: an older signature is a replay. */
const TOLERANCE_S = 300

/** The kinds of events by the object that they tell of, as their names begin. */
const objects: [prefix: string, kind: ProviderEvent['objectKind']][] = [
  ['checkout.session.', 'checkout'],
  ['payment_intent.', 'payment'],
  ['refund.', 'refund'],
  ['charge.dispute.', 'dispute'],
  ['customer.subscription.', 'subscription'],
  ['invoice.', 'period'],
]

/** The library checks the signature over the bytes as they came, and its age. Events of other accounts and of the other mode are refused. */
export async function readStripeEvent(
  body: Buffer,
  headers: Record<string, string | string[] | undefined>,
): Promise<ProviderEvent | 'unused' | undefined> {
  const { webhooks, errors } = await stripeClient()
  const signature = headers['stripe-signature']
  if (typeof signature !== 'string' || !env.STRIPE_WEBHOOK_SECRET) return undefined
  try {
    const event = webhooks.constructEvent(body, signature, env.STRIPE_WEBHOOK_SECRET, TOLERANCE_S)
    if (event.account || event.livemode !== isLiveKey()) return undefined
    return toEvent(event, body.toString()) ?? 'unused'
  } catch (error) {
    if (error instanceof errors.StripeSignatureVerificationError || error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Undefined for what we have no use for. */
export function toEvent(event: Stripe.Event, body: string): ProviderEvent | undefined {
  const { id, type: kind, created } = event
  const [, objectKind] = objects.find(([prefix]) => kind.startsWith(prefix)) ?? []
  const { object } = event.data
  // The preview of an invoice that is to come has no id.
  if (!objectKind || !('id' in object) || typeof object.id !== 'string') return undefined
  return { id, kind, objectKind, objectId: object.id, occurredAt: momentOf(created), body }
}
