import { z } from 'zod/mini'

/** The subscriptions of the organization of a request. */
export const SUBSCRIPTIONS = '/api/subscriptions'

/** A subscription as its organization sees it. Amounts are texts with their currency; times are ISO 8601. */
export const subscriptionView = z.object({
  reference: z.string(),
  title: z.string(),
  /** Null once the dataset is withdrawn. */
  slug: z.nullable(z.string()),
  state: z.enum(['active', 'grace', 'ended']),
  every: z.enum(['month', 'quarter', 'year']),
  /** Of one period, before tax. */
  amount: z.string(),
  periodEnd: z.nullable(z.string()),
  endsAtPeriodEnd: z.boolean(),
  graceUntil: z.nullable(z.string()),
  endReason: z.string(),
  /** The renewal that is not paid yet: its order, on whose page it can be paid now. */
  unpaid: z.nullable(z.object({ order: z.string(), amount: z.string() })),
  /** A new price that was announced, and since when it is charged. */
  next: z.nullable(z.object({ amount: z.string(), from: z.string() })),
  /** The plan that takes over with the next period. */
  nextPlan: z.nullable(z.string()),
  /** Other ways to pay for the same dataset. `now` is due immediately; null: the plan starts with the next period. `begins` says so in a sentence. */
  plans: z.array(
    z.object({
      offerId: z.string(),
      every: z.enum(['month', 'quarter', 'year']),
      amount: z.string(),
      now: z.nullable(z.string()),
      begins: z.string(),
    }),
  ),
  hasPaymentPage: z.boolean(),
  isTest: z.boolean(),
})

export type SubscriptionView = z.infer<typeof subscriptionView>

export const everyWords: Record<SubscriptionView['every'], string> = { month: 'monthly', quarter: 'quarterly', year: 'yearly' }

export const cancelBody = z.object({ when: z.enum(['now', 'periodEnd'], 'Choose now or periodEnd') })

export const planBody = z.object({ offerId: z.string('Choose a plan').check(z.maxLength(40, 'Choose a plan')) })

/** Where the customer goes next; null: nothing has to be paid now. */
export const nextPage = z.object({ url: z.nullable(z.string()) })

/** The actions of the test provider’s clock. */
export const testTurns = ['renew', 'fail', 'confirm', 'recover'] as const
export type TestTurn = (typeof testTurns)[number]
export const testTurnBody = z.object({ turn: z.enum(testTurns, 'Choose what happens') })

export const reopenBody = z.object({ paymentId: z.string('Choose a payment').check(z.maxLength(40, 'Choose a payment')) })
