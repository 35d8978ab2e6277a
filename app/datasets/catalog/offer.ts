import { z } from 'zod/mini'

export const offerCharges = ['once', 'month', 'quarter', 'year'] as const
/** The choices of what a one-time price includes. */
export const onceIncludes = ['version', 'year'] as const
export const offerIncludes = [...onceIncludes, 'feed'] as const

/** A way to buy a product. The one-time price of the product itself has no id. */
export const offer = z.object({
  id: z.nullable(z.string()),
  charged: z.enum(offerCharges),
  currency: z.string(),
  /** In the smallest unit of the currency, before tax. */
  amount: z.number(),
  includes: z.enum(offerIncludes),
})

export type Offer = z.infer<typeof offer>

export const chargedWords: Record<Offer['charged'], string> = {
  once: 'one-time payment',
  month: 'a month',
  quarter: 'a quarter',
  year: 'a year',
}

export const includesWords: Record<Offer['includes'], string> = {
  version: 'The current version',
  year: 'All versions of the next 12 months',
  feed: 'Every version while the subscription runs',
}

/** The page on which a product is bought. */
export const buyPath = (slug: string) => `/data-marketplace/${slug}/buy`
