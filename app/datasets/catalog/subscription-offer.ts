import { z } from 'zod/mini'
import { PRODUCTS } from './addresses.ts'

/** The prices by the month, quarter or year of a product, for staff. */
export const subscriptionOffersOf = (productId: string) => `${PRODUCTS}/${encodeURIComponent(productId)}/subscription-offers`

/** A new price is told to subscribers so long before it is charged. */
export const NOTICE_DAYS = 30

export const subscriptionOffer = z.object({
  id: z.string(),
  charged: z.enum(['month', 'quarter', 'year']),
  currency: z.string(),
  /** In the smallest unit, before tax. */
  amount: z.int(),
  /** Announced to subscribers, and since when it counts. */
  nextAmount: z.nullable(z.int()),
  nextAmountFrom: z.nullable(z.string()),
  /** Running ones. */
  subscriptions: z.int(),
})

export type SubscriptionOffer = z.infer<typeof subscriptionOffer>

const amount = z
  .int('Enter an amount')
  .check(z.positive('Enter an amount of more than nothing'), z.maximum(10 ** 12, 'The amount is too large'))

export const offerBody = z.object({ charged: z.enum(['month', 'quarter', 'year'], 'Choose how often it is charged'), amount })

export const offerPrice = z.object({ amount })
