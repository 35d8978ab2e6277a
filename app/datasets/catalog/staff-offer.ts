import { z } from 'zod/mini'
import { isCurrency } from '#app/platform/text/written-form.ts'
import { PRODUCTS } from './addresses.ts'
import { offer, offerCharges, offerIncludes } from './offer.ts'

/** The prices of a product beside its own one, for staff: subscriptions, and one-time prices in other currencies. */
export const staffOffersOf = (productId: string) => `${PRODUCTS}/${encodeURIComponent(productId)}/offers`

/** Subscribers are told of a new price this many days before it is charged. */
export const NOTICE_DAYS = 30

export const staffOffer = z.extend(offer, {
  id: z.string(),
  /** Announced to subscribers, and since when it counts. */
  nextAmount: z.nullable(z.int()),
  nextAmountFrom: z.nullable(z.string()),
  /** Running ones. */
  subscriptions: z.int(),
})

export type StaffOffer = z.infer<typeof staffOffer>

const amount = z.int('Enter an amount').check(z.positive('Enter an amount above zero'), z.maximum(10 ** 12, 'The amount is too large'))

/** A subscription always includes the feed; a one-time price never does. */
export const offerBody = z
  .object({
    charged: z.enum(offerCharges, 'Choose how often it is charged'),
    currency: z.string('Choose a currency').check(z.refine(isCurrency, 'Choose a currency from the list')),
    amount,
    includes: z.enum(offerIncludes, 'Choose what it includes'),
  })
  .check(
    z.refine(({ charged, includes }) => (charged === 'once') === (includes !== 'feed'), {
      message: 'A subscription includes its feed; a single payment includes versions',
      path: ['includes'],
    }),
  )

export type OfferBody = z.infer<typeof offerBody>

export const offerPrice = z.object({ amount })
