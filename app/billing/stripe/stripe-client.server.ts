import type Stripe from 'stripe'
import { env } from '#app/platform/env.server.ts'
import { later } from '#app/platform/process/later.ts'

/** The shapes of `stripe-objects.server.ts` are those of this version, whatever the account's default is. */
const API_VERSION = '2026-10-28.endive'

/** Checkout and refunds are done while a person waits. */
const PATIENCE_MS = 20_000

/** The library, which is only loaded where there is a key. */
export const stripeClient = later(async (): Promise<Stripe> => {
  if (!env.STRIPE_SECRET_KEY) throw new Error('Stripe is used without its key.')
  const { default: Library } = await import('stripe')
  const { hostname, port, protocol } = new URL(env.STRIPE_API_URL)
  return new Library(env.STRIPE_SECRET_KEY, {
    apiVersion: API_VERSION,
    host: hostname,
    port: port || (protocol === 'https:' ? 443 : 80),
    protocol: protocol === 'https:' ? 'https' : 'http',
    timeout: PATIENCE_MS,
    maxNetworkRetries: 2,
    telemetry: false,
  })
})

/** Objects of test keys are not those of live ones. */
export function isLiveKey(): boolean {
  return env.STRIPE_SECRET_KEY?.includes('_live_') ?? false
}

/** Returns undefined where Stripe has no such object. */
export async function orMissing<T>(call: Promise<T>): Promise<T | undefined> {
  const { errors } = await stripeClient()
  return call.catch((error: unknown) => {
    if (error instanceof errors.StripeInvalidRequestError && error.statusCode === 404) return undefined
    throw error
  })
}
