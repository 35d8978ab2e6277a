import type { CheckoutAsked, Interval } from '#app/billing/payments/provider.server.ts'
import { afterAll, describe, expect, test } from 'vitest'
import { useSettings } from '#test/settings.ts'
import { StripeDouble } from '#test/stripe.ts'

const double = new StripeDouble()
await double.start()
afterAll(() => double.stop())
useSettings({ DATA_DIR: process.env['DATA_DIR'] ?? '', ...double.settings() })
// Only now: the settings are read once.
const { stripeProvider: stripe } = await import('./stripe-provider.server.ts')

const HOUR_MS = 3_600_000
const asked = (wish: Partial<Pick<CheckoutAsked, 'amount' | 'currency' | 'customer' | 'tax'>> & { every?: Interval } = {}) => {
  const { amount = 14_900, currency = 'USD', customer = null, every, tax } = wish
  const urls = { returnUrl: 'http://localhost:3000/pay/B-1?back=1', cancelUrl: 'http://localhost:3000/pay/B-1' }
  const ours = { checkoutId: 'our-checkout', orderId: 'our-order', title: 'Prices of 8 shops', email: 'ada@example.com' }
  const subscription = every && { subscription: { id: 'our-subscription', every } }
  return { ...ours, ...urls, amount, currency, customer, tax, expiresAt: new Date(Date.now() + HOUR_MS), ...subscription }
}
let keys = 0
const key = () => `key-${(keys += 1)}`
const paid = async () => {
  const { id } = await stripe.startCheckout(asked(), key())
  double.completeCheckout(id)
  return (await stripe.read('checkout', id))?.paymentId ?? ''
}
const collect = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const found: T[] = []
  for await (const item of items) found.push(item)
  return found
}

describe('a checkout', () => {
  test('is made once for its key, with our ids, in our amount and currency, and without invoices or receipts of Stripe', async () => {
    const wish = asked()
    const [first, again] = [await stripe.startCheckout(wish, 'once'), await stripe.startCheckout(wish, 'once')]
    expect([first.id, first.url]).toEqual([again.id, again.url])
    const { form, key: sent } = double.calls.findLast(({ path }) => path === 'checkout/sessions') ?? {}
    expect(sent).toMatch(/^once:/)
    expect(form).toMatchObject({
      mode: 'payment',
      client_reference_id: 'our-checkout',
      metadata: { checkoutId: 'our-checkout', orderId: 'our-order' },
      adaptive_pricing: { enabled: 'false' },
      invoice_creation: { enabled: 'false' },
      customer_email: 'ada@example.com',
    })
    expect(form?.['payment_intent_data']).toEqual({ metadata: { checkoutId: 'our-checkout', orderId: 'our-order' } })
    expect(await stripe.read('checkout', first.id)).toMatchObject({ state: 'open', isPaid: false, amount: 14_900, currency: 'USD' })
  })

  test('that was cut off starts again from another page, and for a buyer with a new address', async () => {
    const [wish, cutOff] = [asked(), key()]
    const first = await stripe.startCheckout(wish, cutOff)
    const second = await stripe.startCheckout(
      { ...wish, cancelUrl: 'http://localhost:3000/account/billing', email: 'new@example.com' },
      cutOff,
    )
    expect(second.id).not.toBe(first.id)
    expect(await stripe.read('checkout', second.id)).toMatchObject({ state: 'open', checkoutId: 'our-checkout' })
  })

  test('is paid, with the fee; declined it stays open; a delayed payment is neither paid nor failed until the bank says so', async () => {
    const { id } = await stripe.startCheckout(asked(), key())
    double.decline(id)
    expect(await stripe.read('checkout', id)).toMatchObject({ state: 'open', isPaid: false })
    double.completeCheckout(id, { delayed: true })
    const waiting = await stripe.read('checkout', id)
    expect(waiting).toMatchObject({ state: 'complete', isPaid: false, checkoutId: 'our-checkout' })
    expect(await stripe.read('payment', waiting?.paymentId ?? '')).toMatchObject({ state: 'pending', fee: null, paidAt: null })
    double.settleDelayed(id, true)
    expect(await stripe.read('payment', waiting?.paymentId ?? '')).toMatchObject({ state: 'succeeded', amount: 14_900, fee: 249 })
    expect(await stripe.read('checkout', id)).toMatchObject({ isPaid: true, customer: expect.any(String) })
  })

  test('ends, also twice; a currency that the account cannot take is a sentence; what is not there is undefined', async () => {
    const { id } = await stripe.startCheckout(asked(), key())
    await stripe.endCheckout(id)
    await stripe.endCheckout(id)
    expect(await stripe.read('checkout', id)).toMatchObject({ state: 'expired' })
    expect(await stripe.read('checkout', 'cs_none')).toBeUndefined()
    await expect(stripe.startCheckout(asked({ currency: 'XTS' }), key())).rejects.toMatchObject({
      data: 'The payment provider refuses this order: Invalid currency: xts.',
    })
  })
})

describe('a subscription', () => {
  const subscribe = async (every: 'month' | 'quarter' | 'year') => {
    const { id } = await stripe.startCheckout(asked({ every }), key())
    double.completeCheckout(id)
    const checkout = await stripe.read('checkout', id)
    return { id: checkout?.subscriptionId ?? '', checkout }
  }

  test('begins with a paid period that names its payment; renews, fails, asks the customer, and recovers', async () => {
    const { id, checkout } = await subscribe('month')
    const first = await stripe.read('payment', checkout?.paymentId ?? '')
    expect(first).toMatchObject({ state: 'succeeded', checkoutId: null, periodId: expect.stringMatching(/^in_/) })
    const begun = await stripe.read('subscription', id)
    expect(begun).toMatchObject({ state: 'active', subscriptionId: 'our-subscription', amount: 14_900, endsAtPeriodEnd: false })
    const period = double.renew(id, 'failed')
    expect(await stripe.read('period', period)).toMatchObject({
      state: 'open',
      subscriptionId: id,
      amount: 14_900,
      failure: 'Your card was declined.',
      actionUrl: null,
      start: begun?.periodEnd,
    })
    expect(await stripe.read('subscription', id)).toMatchObject({ state: 'pastDue', periodStart: begun?.periodEnd })
    double.retry(period, 'action')
    expect(await stripe.read('period', period)).toMatchObject({ actionUrl: expect.stringContaining('https://') })
    double.retry(period, 'paid')
    expect(await stripe.read('period', period)).toMatchObject({ state: 'paid', paymentId: expect.any(String) })
    expect(await stripe.read('subscription', id)).toMatchObject({ state: 'active' })
  })

  test('is cancelled at the end of its period, continued, and ended at once', async () => {
    const { id } = await subscribe('quarter')
    await stripe.cancelSubscription(id, 'periodEnd', key())
    expect(await stripe.read('subscription', id)).toMatchObject({ state: 'active', endsAtPeriodEnd: true })
    await stripe.continueSubscription(id, key())
    expect(await stripe.read('subscription', id)).toMatchObject({ endsAtPeriodEnd: false })
    await stripe.cancelSubscription(id, 'now', key())
    expect(await stripe.read('subscription', id)).toMatchObject({ state: 'ended' })
  })

  test('takes a new price with the next period; another interval is not charged before the day that is paid for', async () => {
    const { id } = await subscribe('month')
    const { periodEnd = new Date() } = (await stripe.read('subscription', id)) ?? {}
    const price = { currency: 'USD', title: 'Prices of 8 shops', from: periodEnd, isTaxed: false }
    await stripe.changePrice(id, { ...price, amount: 19_900, every: 'month' }, key())
    expect(await stripe.read('subscription', id)).toMatchObject({ amount: 19_900, periodEnd })
    expect(double.calls.findLast(({ path }) => path === `subscriptions/${id}`)?.form).not.toHaveProperty('trial_end')
    const from = new Date(periodEnd.getTime() + 300 * 24 * HOUR_MS)
    await stripe.changePrice(id, { ...price, amount: 99_900, every: 'year', from }, key())
    expect(await stripe.read('subscription', id)).toMatchObject({ state: 'active', amount: 99_900, periodEnd: from })
    expect(double.calls.findLast(({ path, method }) => method === 'POST' && path === `subscriptions/${id}`)?.form).toMatchObject({
      proration_behavior: 'none',
    })
  })

  test('its customer changes the payment method on a page that can do nothing else', async () => {
    const first = await stripe.paymentMethodPage('cus_1', 'http://localhost:3000/account/billing')
    expect(first).toMatch(/^https:/)
    await stripe.paymentMethodPage('cus_2', 'http://localhost:3000/account/billing')
    const [configuration, ...others] = double.list('billing_portal.configuration')
    expect(others).toEqual([])
    expect(configuration?.['features']).toMatchObject({
      payment_method_update: { enabled: 'true' },
      subscription_cancel: { enabled: 'false' },
      invoice_history: { enabled: 'false' },
    })
  })
})

describe('the tax of Stripe', () => {
  const company = { isBusiness: true, countryCode: 'DE', vatNumber: '' }

  test('is asked for with the address and the number of a business, and comes on top of the price with its place', async () => {
    const { id } = await stripe.startCheckout(asked({ tax: company, customer: 'cus_known' }), key())
    const { form } = double.calls.findLast(({ path }) => path === 'checkout/sessions') ?? {}
    expect(form).toMatchObject({
      automatic_tax: { enabled: 'true' },
      billing_address_collection: 'required',
      tax_id_collection: { enabled: 'true' },
      customer_update: { address: 'auto', name: 'auto' },
      line_items: { 0: { price_data: { unit_amount: '14900', tax_behavior: 'exclusive' } } },
    })
    expect(await stripe.read('checkout', id)).toMatchObject({ amount: 14_900, tax: null })
    double.taxFound = {
      country: 'US',
      state: 'NY',
      parts: [
        { percent: 4, place: 'New York' },
        { percent: 4.875, place: 'New York City' },
      ],
    }
    double.completeCheckout(id)
    const paid = await stripe.read('checkout', id)
    expect(paid).toMatchObject({
      amount: 14_900 + 596 + 726,
      tax: {
        tax: 1322,
        category: 'S',
        rate: 888,
        jurisdiction: 'New York 4%, New York City 4.875%',
        countryCode: 'US',
        region: 'NY',
        taxId: '',
      },
    })
    expect(await stripe.read('payment', paid?.paymentId ?? '')).toMatchObject({ state: 'succeeded', amount: 16_222 })
  })

  test.each([
    [
      'a number of another country of the EU',
      { country: 'FR', taxId: 'FR83404833048', parts: [{ percent: 0, place: '', reason: 'reverse_charge' }] },
      { category: 'AE', rate: 0, taxId: 'FR83404833048', reason: expect.stringContaining('Article 196') },
    ],
    [
      'an exempt product',
      { country: 'GB', parts: [{ percent: 0, place: '', reason: 'product_exempt' }] },
      { category: 'E', rate: 0, tax: 0 },
    ],
    [
      'a place without a registration',
      { country: 'JP', parts: [{ percent: 0, place: '', reason: 'not_collecting' }] },
      { category: 'O', rate: 0, tax: 0 },
    ],
    [
      'a part of the price',
      {
        country: 'US',
        state: 'TX',
        parts: [
          { percent: 6.25, place: 'Texas', share: 0.8 },
          { percent: 0, place: 'Texas', share: 0.2, reason: 'portion_product_exempt' },
        ],
      },
      { category: 'S', rate: 500, tax: 745, region: 'TX' },
    ],
  ])('of %s is read as it is', async (_name, found, tax) => {
    double.taxFound = found
    const { id } = await stripe.startCheckout(asked({ tax: company }), key())
    double.completeCheckout(id)
    expect((await stripe.read('checkout', id))?.tax).toMatchObject(tax)
  })

  test('of a period has the rates of its invoice; a new price has its tax on top as well; a private person is not asked for a number', async () => {
    double.taxFound = { country: 'DE', parts: [{ percent: 19, place: 'Germany' }] }
    const { id } = await stripe.startCheckout(asked({ every: 'month', tax: { ...company, isBusiness: false } }), key())
    expect(double.calls.findLast(({ path }) => path === 'checkout/sessions')?.form).not.toHaveProperty('tax_id_collection')
    double.completeCheckout(id)
    const subscription = (await stripe.read('checkout', id))?.subscriptionId ?? ''
    const period = double.renew(subscription, 'paid')
    expect(await stripe.read('period', period)).toMatchObject({
      amount: 17_731,
      tax: { tax: 2831, category: 'S', rate: 1900, jurisdiction: 'Germany 19%', countryCode: 'DE' },
    })
    expect(await stripe.read('subscription', subscription)).toMatchObject({ amount: 14_900 })
    const from = (await stripe.read('subscription', subscription))?.periodEnd ?? new Date()
    await stripe.changePrice(subscription, { amount: 19_900, currency: 'USD', every: 'month', title: 'Prices', from, isTaxed: true }, key())
    expect(double.calls.findLast(({ method, path }) => method === 'POST' && path === `subscriptions/${subscription}`)?.form).toMatchObject({
      items: { 0: { price_data: { tax_behavior: 'exclusive' } } },
    })
  })

  test('is known before the payment where the country is enough', async () => {
    double.taxFound = { country: 'DE', parts: [{ percent: 19, place: 'Germany' }] }
    const quote = { isBusiness: false, vatNumber: '', amount: 14_900, currency: 'EUR' }
    expect(await stripe.quoteTax({ ...quote, countryCode: 'DE' })).toMatchObject({ tax: 2831, rate: 1900 })
    expect(await stripe.quoteTax({ ...quote, countryCode: 'US' })).toBeUndefined()
  })
})

describe('refunds, disputes and the balance', () => {
  test('a refund is made once for its key and can fail later; one made at Stripe has no id of ours', async () => {
    const paymentId = await paid()
    const refund = { refundId: 'our-refund', paymentId, amount: 4900, reason: 'Half of it' }
    const [one, again] = [await stripe.refund(refund, 'refund-1'), await stripe.refund(refund, 'refund-1')]
    expect(one).toEqual({ ...again, refundId: 'our-refund', paymentId, amount: 4900, currency: 'USD', state: 'succeeded', failure: '' })
    double.failRefund(one.id)
    expect(await stripe.read('refund', one.id)).toMatchObject({ state: 'failed', failure: 'lost_or_stolen_card' })
    expect(await stripe.read('refund', double.refundThere(paymentId, 100))).toMatchObject({ refundId: null, paymentId, amount: 100 })
  })

  test('an inquiry moves nothing, an open dispute takes the money and a fee, and one that is won brings the money back', async () => {
    const paymentId = await paid()
    const id = double.dispute(paymentId, 'warning_needs_response')
    expect(await stripe.read('dispute', id)).toMatchObject({ state: 'inquiry', fee: 0, paymentId, evidenceDueAt: expect.any(Date) })
    double.moveDispute(id, 'needs_response')
    expect(await stripe.read('dispute', id)).toMatchObject({ state: 'open', fee: 2000, amount: 14_900, reason: 'fraudulent' })
    double.moveDispute(id, 'won')
    expect(await stripe.read('dispute', id)).toMatchObject({ state: 'won', fee: 2000 })
  })

  test('the balance names payments by our ids, in pages; events are listed oldest first', async () => {
    const since = new Date((double.at += 1) * 1000)
    const ids = []
    for (let count = 0; count < 60; count += 1) ids.push(await paid())
    const refund = await stripe.refund({ refundId: 'r', paymentId: ids[0] ?? '', amount: 100, reason: '' }, key())
    double.payOut('usd', 5000)
    const moves = await collect(stripe.listBalance(since))
    expect(moves.filter(({ kind }) => kind === 'payment').map(({ objectId }) => objectId)).toEqual(ids.toReversed())
    expect(moves.find(({ kind }) => kind === 'refund')).toMatchObject({ objectId: refund.id, amount: -100, currency: 'USD' })
    expect(moves.find(({ kind }) => kind === 'payout')).toMatchObject({ amount: -5000 })
    const events = await collect(stripe.listEvents(since))
    expect(events.length).toBe(121)
    expect(events.at(-1)).toMatchObject({ objectKind: 'refund', objectId: refund.id })
  })
})

describe('security', () => {
  test('forged, altered, replayed after six minutes, of another account or of live mode: no event is accepted', async () => {
    await paid()
    const event = double.events.at(-1)
    if (!event) throw new Error('There is no event.')
    const read = ({ body, headers }: { body: string; headers: Record<string, string> }) => stripe.readEvent(Buffer.from(body), headers)
    const genuine = double.sign(event)
    expect(await read(genuine)).toMatchObject({ id: event.id, objectKind: 'checkout', kind: 'checkout.session.completed' })
    const sixMinutes = Math.floor(Date.now() / 1000) - 360
    const hostile = {
      forged: double.sign(event, { secret: 'whsec_anotherSecret' }),
      altered: { ...genuine, body: genuine.body.replace('14900', '14901') },
      unsigned: { ...genuine, headers: {} },
      sixMinutesOld: double.sign(event, { at: sixMinutes }),
      freshTimeOldSignature: {
        ...genuine,
        headers: { 'stripe-signature': genuine.headers['stripe-signature']?.replace(/t=\d+/, `t=${sixMinutes + 350}`) ?? '' },
      },
      otherAccount: double.sign({ ...event, account: 'acct_another' }),
      live: double.sign({ ...event, livemode: true }),
      noJson: { ...genuine, body: 'hello' },
    }
    for (const [name, delivery] of Object.entries(hostile)) expect([name, await read(delivery)]).toEqual([name, undefined])
    expect(await read(double.sign({ ...event, type: 'customer.created' }))).toBe('unused')
  })

  test('an outage of a moment is tried again with the same key', async () => {
    double.outages = 1
    const { id } = await stripe.startCheckout(asked(), 'after-an-outage')
    expect(await stripe.read('checkout', id)).toMatchObject({ state: 'open' })
  })
})
