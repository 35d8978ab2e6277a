import type { ProviderTax } from '#app/billing/orders/order.ts'

/** A payment provider. Each has its own objects; these are the parts that the product reads. Amounts are in the smallest unit. */
export type PaymentProvider = {
  name: 'test' | 'stripe'
  /** Makes the page on which an order is paid. `key` makes a repeated call return the first one's page. */
  startCheckout(asked: CheckoutAsked, key: string): Promise<{ id: string; url: string; expiresAt: Date; customer?: string }>
  /** The tax as it would be now; undefined where the facts of the buyer are not enough. */
  quoteTax(asked: TaxAsked & { amount: number; currency: string }): Promise<ProviderTax | undefined>
  /** Ends a page that nobody paid on. Does nothing where it is over already. */
  endCheckout(id: string): Promise<void>
  /** The current state of an object; undefined where the provider has none with this id. */
  read<Kind extends keyof ProviderObjects>(kind: Kind, id: string): Promise<ProviderObjects[Kind] | undefined>
  /** `refundId` is ours; the provider returns it with the object. */
  refund(asked: { refundId: string; paymentId: string; amount: number; reason: string }, key: string): Promise<ProviderObjects['refund']>
  cancelSubscription(id: string, at: 'now' | 'periodEnd', key: string): Promise<void>
  /** Takes back a cancellation at the end of the period. */
  continueSubscription(id: string, key: string): Promise<void>
  /** A new price, charged first at `from`. Nothing is charged before: what an upgrade costs at once is an order of its own. */
  changePrice(id: string, to: PriceAsked, key: string): Promise<void>
  /** A page where the customer changes the payment method, and nothing else. */
  paymentMethodPage(customer: string, returnUrl: string): Promise<string>
  /** The event of a request, verified. `unused` says nothing that we need; undefined is forged, older than five minutes or of another account. */
  readEvent(body: Buffer, headers: Record<string, string | string[] | undefined>): Promise<ProviderEvent | 'unused' | undefined>
  /** Events since a moment, oldest first. */
  listEvents(since: Date): AsyncIterable<ProviderEvent>
  /** Movements of the balance since a moment: payments, refunds, disputes, fees and payouts. */
  listBalance(since: Date): AsyncIterable<BalanceMove>
  /** Payouts to the bank since a moment. */
  listPayouts(since: Date): AsyncIterable<Payout>
}

export type Interval = 'month' | 'quarter' | 'year'

/** The buyer as the provider needs it to compute the tax. */
export type TaxAsked = { isBusiness: boolean; countryCode: string; vatNumber: string }

/** `isTaxed`: the provider adds tax to the amount. */
export type PriceAsked = { amount: number; currency: string; every: Interval; title: string; from: Date; isTaxed: boolean }

export type CheckoutAsked = {
  /** Ours; the provider returns them with the object. */
  checkoutId: string
  orderId: string
  title: string
  /** Tax included, unless the provider adds it. */
  amount: number
  currency: string
  /** The provider computes the tax and adds it. */
  tax?: TaxAsked | undefined
  email: string
  /** The provider's customer of the organization, if it has one. */
  customer: string | null
  returnUrl: string
  cancelUrl: string
  expiresAt: Date
  /** Charged again each interval, until it ends. */
  subscription?: { id: string; every: Interval }
}

export type ProviderObjects = {
  checkout: {
    id: string
    state: 'open' | 'complete' | 'expired'
    isPaid: boolean
    amount: number
    currency: string
    /** Of the provider, in `amount`. Null where it computes none, or not yet. */
    tax: ProviderTax | null
    /** Ours. */
    checkoutId: string
    paymentId: string | null
    subscriptionId: string | null
    customer: string | null
  }
  payment: {
    id: string
    state: 'pending' | 'succeeded' | 'failed'
    amount: number
    currency: string
    /** Null while unknown. */
    fee: number | null
    paidAt: Date | null
    failure: string
    /** Ours; null for a payment that we did not begin, such as of a period. */
    checkoutId: string | null
    /** The provider's, for a payment of a period. */
    periodId: string | null
  }
  refund: {
    id: string
    /** Ours; null for one that somebody made at the provider. */
    refundId: string | null
    paymentId: string
    amount: number
    currency: string
    state: 'pending' | 'succeeded' | 'failed'
    failure: string
  }
  dispute: {
    id: string
    paymentId: string
    amount: number
    currency: string
    fee: number
    state: 'inquiry' | 'open' | 'won' | 'lost'
    reason: string
    evidenceDueAt: Date | null
  }
  subscription: {
    id: string
    state: 'incomplete' | 'active' | 'pastDue' | 'ended'
    /** Ours. */
    subscriptionId: string
    periodStart: Date
    periodEnd: Date
    endsAtPeriodEnd: boolean
    amount: number
    currency: string
    /** Whom the provider charges; null where it keeps no payment method. */
    customer: string | null
  }
  /** The charge for a period of a subscription. */
  period: {
    id: string
    /** The provider's. */
    subscriptionId: string
    state: 'open' | 'paid' | 'void' | 'uncollectible'
    amount: number
    currency: string
    /** Of the provider, in `amount`. Null where it computes none. */
    tax: ProviderTax | null
    paymentId: string | null
    start: Date
    end: Date
    /** Where the customer confirms a payment, such as by 3-D Secure. */
    actionUrl: string | null
    /** Where an open one is paid by hand. */
    payUrl: string | null
    failure: string
  }
}

export type ProviderEvent = {
  id: string
  kind: string
  objectKind: keyof ProviderObjects
  objectId: string
  occurredAt: Date
  body: string
}

export type BalanceMove = {
  id: string
  kind: 'payment' | 'refund' | 'dispute' | 'fee' | 'payout' | 'other'
  /** Of the payment, refund or dispute. */
  objectId: string | null
  amount: number
  fee: number
  currency: string
  occurredAt: Date
}

export type Payout = {
  id: string
  amount: number
  currency: string
  /** Why it did not arrive at the bank; null for one that did, or may. */
  failure: string | null
  occurredAt: Date
  /** The movements that it pays out, with their net in its currency. Null where somebody chose the amount by hand. */
  parts: { move: BalanceMove; net: number }[] | null
}
