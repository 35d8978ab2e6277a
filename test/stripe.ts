import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { Stripe } from 'stripe'
import { listen } from './http-server.ts'

export const STRIPE_KEY = 'sk_test_double0000000000'
export const STRIPE_SECRET = 'whsec_double0000000000000000000000'

type Json = string | number | boolean | null | Json[] | { [key: string]: Json }
type Form = { [key: string]: string | Form }
type Stored = { [key: string]: Json } & { id: string; object: string }

/** Of 10,000, as of a card of the European Economic Area: 1.5 % and 25 cents. */
const feeFor = (amount: number) => Math.round((amount * 150) / 10_000) + 25
const DISPUTE_FEE = 2000
const DAY = 86_400
const lengths: Record<string, number> = { 'month:1': 30 * DAY, 'month:3': 91 * DAY, 'year:1': 365 * DAY }

/** The result of Stripe’s tax engine for the address that a customer enters. Parts are in percent, of the whole net unless `share` says less. */
export type TaxFound = {
  country: string
  state?: string
  parts: { percent: number; place: string; reason?: string; share?: number }[]
  taxId?: string
}

/** A signed request of a webhook, as it arrives at our endpoint. */
export type Delivery = { event: Stored; body: string; headers: Record<string, string> }

/**
 * Stripe's API as far as the product uses it, for the real library: objects in the shapes of its published description, idempotency keys, expanding,
 * pages of lists, events with signatures. `at` is its clock in seconds.
 */
export class StripeDouble {
  readonly objects = new Map<string, Stored>()
  readonly calls: { method: string; path: string; form: Form; key: string | undefined }[] = []
  readonly events: Stored[] = []
  at = Math.floor(Date.now() / 1000)
  /** Responds 503 to so many requests. */
  outages = 0
  /** Of the customers who pay from now on. */
  taxFound: TaxFound = { country: 'DE', parts: [{ percent: 19, place: 'Germany' }] }
  #counter = 0
  readonly #replies = new Map<string, { form: string; status: number; body: Json }>()
  #server: Awaited<ReturnType<typeof listen>> | undefined

  async start(): Promise<string> {
    this.#server = await listen((request, response) => this.#answer(request, response))
    return this.#server.url
  }

  async stop(): Promise<void> {
    await this.#server?.close()
  }

  /** The settings of an installation that uses it. */
  settings(): Record<string, string> {
    const STRIPE_API_URL = this.#server?.url ?? ''
    return { PAYMENTS: 'stripe', STRIPE_SECRET_KEY: STRIPE_KEY, STRIPE_WEBHOOK_SECRET: STRIPE_SECRET, STRIPE_API_URL }
  }

  get(id: string): Stored {
    const found = this.objects.get(id)
    if (!found) throw new Error(`There is no ${id}.`)
    return found
  }

  list(object: string): Stored[] {
    return [...this.objects.values()].filter((stored) => stored.object === object)
  }

  sign(event: Stored, { secret = STRIPE_SECRET, at = Math.floor(Date.now() / 1000) } = {}): Delivery {
    const body = JSON.stringify(event)
    const signature = Stripe.webhooks.generateTestHeaderString({ payload: body, secret, timestamp: at })
    return { event, body, headers: { 'stripe-signature': signature, 'content-type': 'application/json' } }
  }

  // Actions of customers, banks and time.

  /** A customer pays on the page. `delayed`: by a method that takes days. `confirms`: with 3-D Secure, which is not an event of the checkout. */
  completeCheckout(id: string, { delayed = false } = {}): void {
    const session = this.get(id)
    if (session['status'] !== 'open') return
    const customer = session['customer'] ?? this.#make('customer', 'cus', { email: session['customer_email'] ?? null, metadata: {} }).id
    this.#change(session, { status: 'complete', customer })
    if (isTaxed(session)) this.#tax(session)
    if (session['mode'] === 'subscription') return this.#subscribe(session, textOf(customer))
    const amount = Number(session['amount_total'])
    const payment = this.#pay(
      { amount, currency: textOf(session['currency']), customer, metadata: session['payment_metadata'] ?? {} },
      !delayed,
    )
    this.#change(session, { payment_intent: payment.id, payment_status: delayed ? 'unpaid' : 'paid' })
    this.#tell('checkout.session.completed', session)
  }

  /** The customer has entered an address: the tax comes on top. */
  #tax(session: Stored): void {
    const { country, state = null, taxId } = this.taxFound
    const taxes = this.#taxesOf(Number(session['amount_subtotal']))
    const tax = taxes.reduce((sum, { amount }) => sum + amount, 0)
    this.#change(session, {
      automatic_tax: { enabled: true, status: 'complete', liability: { type: 'self' }, provider: 'stripe' },
      amount_total: Number(session['amount_subtotal']) + tax,
      total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: tax, breakdown: { discounts: [], taxes } },
      customer_details: {
        address: { country, state, city: null, line1: null, line2: null, postal_code: null },
        tax_ids: taxId ? [{ type: 'eu_vat', value: taxId }] : [],
      },
    })
  }

  #taxesOf(net: number) {
    return this.taxFound.parts.map(({ percent, place, share = 1, reason = percent > 0 ? 'standard_rated' : 'not_subject_to_tax' }) => {
      const taxable = Math.round(net * share)
      const facts = { percentage: percent, effective_percentage: percent, jurisdiction: place, display_name: 'VAT' }
      const rate = this.#make('tax_rate', 'txr', { ...facts, country: this.taxFound.country, state: this.taxFound.state ?? null })
      return { amount: Math.round((taxable * percent) / 100), rate, taxability_reason: reason, taxable_amount: taxable }
    })
  }

  /** The bank has the money of a delayed payment, or will never have it. */
  settleDelayed(id: string, succeeds: boolean): void {
    const session = this.get(id)
    const payment = this.get(textOf(session['payment_intent']))
    if (succeeds) this.#succeed(payment)
    else this.#fail(payment)
    if (succeeds) this.#change(session, { payment_status: 'paid' })
    this.#tell(`checkout.session.async_payment_${succeeds ? 'succeeded' : 'failed'}`, session)
  }

  /** A card is declined; the page stays open. */
  decline(id: string): void {
    const session = this.get(id)
    const known = session['tried']
    const payment =
      typeof known === 'string'
        ? this.get(known)
        : this.#pay(
            {
              amount: Number(session['amount_total']),
              currency: textOf(session['currency']),
              customer: null,
              metadata: session['payment_metadata'] ?? {},
            },
            false,
          )
    this.#change(session, { tried: payment.id })
    this.#fail(payment)
  }

  expire(id: string): void {
    const session = this.get(id)
    if (session['status'] !== 'open') return
    this.#change(session, { status: 'expired' })
    this.#tell('checkout.session.expired', session)
  }

  /** The next period begins. */
  renew(id: string, outcome: 'paid' | 'failed' | 'action'): string {
    const subscription = this.get(id)
    const start = Number(subscription['period_end'])
    this.#change(subscription, { status: 'active', period_start: start, period_end: start + lengthOf(subscription) })
    return this.#invoice(subscription, outcome)
  }

  /** A retry of a failed period, or the customer confirms it. */
  retry(invoiceId: string, outcome: 'paid' | 'failed' | 'action'): void {
    const invoice = this.get(invoiceId)
    if (invoice['status'] !== 'open') return
    this.#attempt(invoice, this.get(textOf(invoice['payment'])), outcome)
    if (outcome === 'paid') this.#setStatus(this.get(textOf(invoice['subscription'])), 'active')
  }

  end(id: string): void {
    const subscription = this.get(id)
    if (subscription['status'] === 'canceled') return
    this.#change(subscription, { status: 'canceled', ended_at: this.at })
    this.#tell('customer.subscription.deleted', subscription)
  }

  failRefund(id: string): void {
    const refund = this.get(id)
    if (refund['status'] === 'failed') return
    const source = this.#move('refund_failure', Number(refund['amount']), 0, textOf(refund['currency']), id)
    this.#change(refund, { status: 'failed', failure_reason: 'lost_or_stolen_card', failure_balance_transaction: source.id })
    this.#tell('refund.failed', refund)
  }

  /** A refund that somebody makes in the dashboard of Stripe. */
  refundThere(payment: string, amount: number): string {
    return this.#refund({ payment_intent: payment, amount: textOf(amount) }).id
  }

  dispute(payment: string, status: 'warning_needs_response' | 'needs_response'): string {
    const charge = this.get(textOf(this.get(payment)['latest_charge']))
    const { currency } = this.get(payment)
    const dispute = this.#make('dispute', 'dp', {
      amount: this.leftOf(payment),
      currency: currency ?? '',
      charge: charge.id,
      payment_intent: payment,
      reason: 'fraudulent',
      status,
      metadata: {},
      balance_transactions: [],
      evidence_details: { due_by: this.at + 7 * DAY, has_evidence: false, past_due: false, submission_count: 0 },
    })
    if (status === 'needs_response') this.#withdraw(dispute)
    this.#tell('charge.dispute.created', dispute)
    return dispute.id
  }

  /** The rest of a payment after its refunds. */
  leftOf(payment: string): number {
    const refunds = this.list('refund').filter((refund) => refund['payment_intent'] === payment && refund['status'] !== 'failed')
    return Number(this.get(payment)['amount_received']) - refunds.reduce((sum, refund) => sum + Number(refund['amount']), 0)
  }

  moveDispute(id: string, status: 'needs_response' | 'warning_closed' | 'won' | 'lost'): void {
    const dispute = this.get(id)
    const moves = listOf(dispute['balance_transactions'])
    if (status !== 'warning_closed' && moves.length === 0) this.#withdraw(dispute)
    this.#change(dispute, { status })
    if (status === 'won') {
      const back = this.#move('adjustment', Number(dispute['amount']), 0, textOf(dispute['currency']), id)
      this.#change(dispute, { balance_transactions: [...listOf(dispute['balance_transactions']), back.id] })
    }
    this.#tell(`charge.dispute.${status === 'needs_response' ? 'updated' : 'closed'}`, dispute)
  }

  /** Without an amount it pays out all moves that no payout has, as it does by itself. */
  payOut(currency: string, chosen?: number): string {
    const moves = this.list('balance_transaction').filter((move) => move['currency'] === currency && move['payout'] === undefined)
    const amount = chosen ?? moves.reduce((sum, move) => sum + Number(move['net']), 0)
    const payout = this.#make('payout', 'po', { amount, currency, status: 'paid', automatic: chosen === undefined })
    if (chosen === undefined) for (const move of moves) this.#change(move, { payout: payout.id })
    this.#change(this.#move('payout', -amount, 0, currency, payout.id), { payout: payout.id })
    return payout.id
  }

  /** The bank sends it back. */
  failPayout(id: string): void {
    this.#change(this.get(id), { status: 'failed', failure_message: 'The bank account has been closed.' })
  }

  // How it keeps its objects.

  #make(object: string, prefix: string, facts: { [key: string]: Json }): Stored {
    const made: Stored = {
      id: `${prefix}_${String((this.#counter += 1)).padStart(14, '0')}`,
      object,
      created: this.at,
      livemode: false,
      ...facts,
    }
    this.objects.set(made.id, made)
    return made
  }

  #change(stored: Stored, facts: { [key: string]: Json }): void {
    Object.assign(stored, facts)
  }

  #tell(type: string, stored: Stored): void {
    const object = structuredClone(this.#view(stored, []))
    const facts = {
      type,
      api_version: '2026-10-28.endive',
      data: { object },
      pending_webhooks: 1,
      request: { id: null, idempotency_key: null },
    }
    const event = this.#make('event', 'evt', facts)
    this.objects.delete(event.id)
    this.events.push(event)
  }

  #move(type: string, amount: number, fee: number, currency: string, source: string): Stored {
    const facts = {
      type,
      amount,
      fee,
      net: amount - fee,
      currency,
      source,
      exchange_rate: null,
      reporting_category: type,
      status: 'available',
    }
    return this.#make('balance_transaction', 'txn', { ...facts, fee_details: [], available_on: this.at, description: null })
  }

  #pay(facts: { amount: number; currency: string; customer: Json; metadata: Json }, succeeds: boolean): Stored {
    const status = succeeds ? 'requires_confirmation' : 'processing'
    const payment = this.#make('payment_intent', 'pi', {
      ...facts,
      amount_received: 0,
      status,
      latest_charge: null,
      last_payment_error: null,
    })
    if (succeeds) this.#succeed(payment)
    return payment
  }

  #succeed(payment: Stored): void {
    const [amount, currency] = [Number(payment['amount']), textOf(payment['currency'])]
    const charge = this.#make('charge', 'ch', { amount, currency, payment_intent: payment.id, paid: true, status: 'succeeded' })
    const moved = this.#move('charge', amount, feeFor(amount), currency, charge.id)
    this.#change(charge, { balance_transaction: moved.id })
    this.#change(payment, { status: 'succeeded', amount_received: amount, latest_charge: charge.id, last_payment_error: null })
    this.#tell('payment_intent.succeeded', payment)
  }

  #fail(payment: Stored): void {
    const error = { type: 'card_error', code: 'card_declined', message: 'Your card was declined.' }
    this.#change(payment, { status: 'requires_payment_method', last_payment_error: error })
    this.#tell('payment_intent.payment_failed', payment)
  }

  #subscribe(session: Stored, customer: string): void {
    const { unit_amount, currency, interval, interval_count, subscription_metadata: metadata } = session
    const subscription = this.#make('subscription', 'sub', {
      status: 'active',
      customer,
      metadata: metadata ?? {},
      cancel_at_period_end: false,
      cancel_at: null,
      ended_at: null,
      unit_amount: unit_amount ?? 0,
      taxed: isTaxed(session),
      currency: currency ?? '',
      interval: interval ?? '',
      interval_count: interval_count ?? 1,
      item: `si_${(this.#counter += 1)}`,
      period_start: this.at,
      period_end: 0,
      start_date: this.at,
    })
    this.#change(subscription, { period_end: this.at + lengthOf(subscription) })
    this.#tell('customer.subscription.created', subscription)
    const invoice = this.#invoice(subscription, 'paid', 'subscription_create')
    this.#change(session, { subscription: subscription.id, invoice, payment_status: 'paid' })
    this.#tell('checkout.session.completed', session)
  }

  #invoice(subscription: Stored, outcome: 'paid' | 'failed' | 'action', reason = 'subscription_cycle'): string {
    const { customer, currency, unit_amount: amount, period_start: start, period_end: end } = subscription
    const taxes = subscription['taxed'] === true ? this.#taxesOf(Number(amount)) : []
    const total = Number(amount) + taxes.reduce((sum, { amount: tax }) => sum + tax, 0)
    const money = { amount: total, currency: textOf(currency) }
    const payment = this.#pay({ ...money, customer: customer ?? null, metadata: {} }, false)
    const invoice = this.#make('invoice', 'in', {
      status: 'open',
      customer: customer ?? null,
      currency: money.currency,
      total: money.amount,
      automatic_tax: { enabled: subscription['taxed'] === true, status: subscription['taxed'] === true ? 'complete' : null },
      total_taxes: taxes.map(({ rate, ...tax }) => {
        return { ...tax, tax_behavior: 'exclusive', type: 'tax_rate_details', tax_rate_details: { tax_rate: rate.id } }
      }),
      customer_address: { country: this.taxFound.country, state: this.taxFound.state ?? null },
      customer_tax_ids: this.taxFound.taxId ? [{ type: 'eu_vat', value: this.taxFound.taxId }] : [],
      amount_due: money.amount,
      amount_paid: 0,
      billing_reason: reason,
      subscription: subscription.id,
      payment: payment.id,
      start: start ?? 0,
      end: end ?? 0,
    })
    this.#tell('invoice.finalized', invoice)
    this.#attempt(invoice, payment, outcome)
    if (outcome !== 'paid') this.#setStatus(subscription, 'past_due')
    else if (reason === 'subscription_cycle') this.#tell('customer.subscription.updated', subscription)
    return invoice.id
  }

  #attempt(invoice: Stored, payment: Stored, outcome: 'paid' | 'failed' | 'action'): void {
    if (outcome === 'paid') {
      this.#succeed(payment)
      this.#change(invoice, { status: 'paid', amount_paid: invoice['amount_due'] ?? 0 })
      this.#tell('invoice.paid', invoice)
      return this.#tell('invoice.payment_succeeded', invoice)
    }
    if (outcome === 'action') this.#change(payment, { status: 'requires_action' })
    else this.#fail(payment)
    this.#tell(outcome === 'action' ? 'invoice.payment_action_required' : 'invoice.payment_failed', invoice)
  }

  #setStatus(subscription: Stored, status: string): void {
    this.#change(subscription, { status })
    this.#tell('customer.subscription.updated', subscription)
  }

  #refund(form: Form): Stored {
    const payment = this.get(textOf(form['payment_intent']))
    const amount = Number(form['amount'])
    const taken = this.list('refund').filter((refund) => refund['payment_intent'] === payment.id && refund['status'] !== 'failed')
    const disputed = this.list('dispute').some((dispute) => dispute['payment_intent'] === payment.id && holds(dispute))
    const left = disputed ? 0 : Number(payment['amount_received']) - taken.reduce((sum, refund) => sum + Number(refund['amount']), 0)
    if (amount > left)
      throw new Refusal(400, `Refund amount (${amount}) is greater than unrefunded amount on charge (${left}).`, 'charge_already_refunded')
    const facts = { amount, currency: payment['currency'] ?? '', payment_intent: payment.id, charge: payment['latest_charge'] ?? null }
    const refund = this.#make('refund', 're', { ...facts, status: 'succeeded', reason: null, metadata: form['metadata'] ?? {} })
    const moved = this.#move('refund', -amount, 0, textOf(payment['currency']), refund.id)
    this.#change(refund, { balance_transaction: moved.id })
    this.#tell('refund.created', refund)
    return refund
  }

  #withdraw(dispute: Stored): void {
    const moved = this.#move('adjustment', -Number(dispute['amount']), DISPUTE_FEE, textOf(dispute['currency']), dispute.id)
    this.#change(dispute, { balance_transactions: [moved.id] })
  }

  // How it shows them. `expand` are the paths that are asked for.

  #view(stored: Stored, expand: string[]): Json {
    if (stored.object === 'subscription') return subscriptionView(stored)
    if (stored.object === 'invoice') return this.#invoiceView(stored, expand)
    if (stored.object === 'checkout.session') return this.#sessionView(stored, expand)
    if (stored.object === 'dispute') {
      const moves = listOf(stored['balance_transactions']).map((id) => this.get(textOf(id)))
      return { ...stored, balance_transactions: moves }
    }
    return this.#plainView(stored, expand)
  }

  #plainView(stored: Stored, expand: string[]): Json {
    const view: { [key: string]: Json } = { ...stored }
    for (const [field, rest] of expandsOf(expand)) {
      const id = stored[field]
      if (typeof id === 'string') view[field] = this.#view(this.get(id), rest)
    }
    return view
  }

  /** The taxes of a page are there only for those who ask for them. */
  #sessionView(session: Stored, expand: string[]): Json {
    const others = expand.filter((path) => path !== 'total_details.breakdown')
    if (others.length < expand.length) return this.#plainView(session, others)
    const { breakdown: _breakdown, ...totals } = objectJson(session['total_details'])
    return this.#plainView({ ...session, total_details: totals }, others)
  }

  #invoiceView(invoice: Stored, expand: string[]): Json {
    const { payment, subscription, start, end, ...rest } = invoice
    const expands = new Map(expandsOf(expand))
    const isWhole = expands.get('payments')?.includes('data.payment.payment_intent')
    const intent = isWhole ? this.#view(this.get(textOf(payment)), []) : (payment ?? null)
    const attempt = {
      id: `inpay_${invoice.id}`,
      object: 'invoice_payment',
      invoice: invoice.id,
      is_default: true,
      status: invoice['status'] === 'paid' ? 'paid' : 'open',
      payment: { type: 'payment_intent', payment_intent: intent },
    }
    return {
      ...rest,
      hosted_invoice_url: `https://invoice.stripe.example/${invoice.id}`,
      parent: { type: 'subscription_details', subscription_details: { subscription: subscription ?? null, metadata: {} } },
      lines: page([{ id: `il_${invoice.id}`, object: 'line_item', period: { start: start ?? 0, end: end ?? 0 } }]),
      ...(expands.has('payments') && { payments: page([attempt]) }),
    }
  }

  // Its endpoints.

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://stripe.test')
    const written = await text(request)
    const send = (status: number, body: Json) =>
      void response.writeHead(status, { 'content-type': 'application/json', 'request-id': 'req_1' }).end(JSON.stringify(body))
    if (request.headers.authorization !== `Bearer ${STRIPE_KEY}`) return send(401, problem('Invalid API Key provided.'))
    if (this.outages > 0) {
      this.outages -= 1
      return send(503, problem('Try again.', 'api_error'))
    }
    const [method, path] = [request.method ?? 'GET', url.pathname.replace('/v1/', '')]
    const key = textOf(request.headers['idempotency-key'] ?? '')
    const form = formOf(method === 'GET' ? url.search.slice(1) : written)
    this.calls.push({ method, path, form, key })
    // The library sends a random key with each write that has none.
    const known = method === 'GET' ? undefined : this.#replies.get(key)
    if (known && known.form !== written)
      return send(400, problem('Keys for idempotent requests can only be used with the same parameters.', 'idempotency_error'))
    const reply = known ?? this.#reply(method, path, form)
    if (method !== 'GET') this.#replies.set(key, { form: written, ...reply })
    send(reply.status, reply.body)
  }

  #reply(method: string, path: string, form: Form): { status: number; body: Json } {
    try {
      return { status: 200, body: this.#do(method, path, form) }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return { status: error.status, body: problem(error.message, 'invalid_request_error', error.code) }
    }
  }

  #do(method: string, path: string, form: Form): Json {
    const expand = Object.values(objectForm(form['expand'])).map(String)
    const [place = '', id = '', step = ''] = path
      .replace('checkout/sessions', 'sessions')
      .replace('tax/calculations', 'tax')
      .replace('billing_portal/', 'portal_')
      .split('/')
    if (method === 'GET' && id === '') return this.#list(place, form, expand)
    const kind = kinds[place]
    const stored = id === '' ? undefined : this.objects.get(id)
    if (id !== '' && (!stored || stored.object !== kind)) throw new Refusal(404, `No such ${kind}: '${id}'`, 'resource_missing')
    if (!stored) return this.#create(place, form)
    if (method === 'DELETE') this.end(id)
    else if (step === 'expire') this.#expireAsked(stored)
    else if (method === 'POST' && place === 'subscriptions') this.#update(stored, form)
    return this.#view(stored, expand)
  }

  #expireAsked(session: Stored): void {
    if (session['status'] !== 'open') throw new Refusal(400, 'Only Checkout Sessions with a status in ["open"] can be expired.')
    this.expire(session.id)
  }

  #create(place: string, form: Form): Json {
    if (place === 'sessions') return this.#view(this.#session(form), [])
    if (place === 'tax') return this.#calculation(form)
    if (place === 'refunds') return this.#view(this.#refund(form), [])
    if (place === 'products') return this.#make('product', 'prod', { name: textOf(form['name']) })
    if (place === 'portal_configurations') {
      return this.#make('billing_portal.configuration', 'bpc', {
        active: true,
        features: form['features'] ?? {},
        metadata: form['metadata'] ?? {},
      })
    }
    if (place === 'portal_sessions') {
      const made = this.#make('billing_portal.session', 'bps', { ...form })
      return { ...made, url: `https://billing.stripe.example/${made.id}` }
    }
    throw new Refusal(404, `Unrecognized request URL (POST: /v1/${place}).`)
  }

  #calculation(form: Form): Json {
    const address = objectForm(objectForm(form['customer_details'])['address'])
    // As Stripe asks for it.
    if (address['country'] === 'US')
      throw new Refusal(400, 'The customer location is not specific enough.', 'customer_tax_location_invalid')
    const net = Number(objectForm(objectForm(form['line_items'])['0'])['amount'])
    const taxes = this.#taxesOf(net)
    const tax = taxes.reduce((sum, { amount }) => sum + amount, 0)
    const breakdown = taxes.map(({ amount, taxability_reason, taxable_amount, rate }) => {
      const details = { percentage_decimal: textOf(rate['percentage']), country: this.taxFound.country, state: null }
      return { amount, taxability_reason, taxable_amount, tax_rate_details: details }
    })
    return this.#make('tax.calculation', 'taxcalc', { amount_total: net + tax, tax_amount_exclusive: tax, tax_breakdown: breakdown })
  }

  #session(form: Form): Stored {
    const line = objectForm(objectForm(form['line_items'])['0'])
    const price = objectForm(line['price_data'])
    const { interval, interval_count: count } = objectForm(price['recurring'])
    const [amount, currency] = [Number(price['unit_amount']), textOf(price['currency'])]
    if (currency === 'xts') throw new Refusal(400, `Invalid currency: ${currency}.`, 'parameter_invalid')
    const expiresAt = Number(form['expires_at'])
    if (expiresAt < this.at + 1800)
      throw new Refusal(400, 'The `expires_at` timestamp must be at least 30 minutes from Checkout Session creation.')
    const session = this.#make('checkout.session', 'cs', {
      status: 'open',
      payment_status: 'unpaid',
      mode: textOf(form['mode']),
      amount_total: amount,
      amount_subtotal: amount,
      automatic_tax: { enabled: objectForm(form['automatic_tax'])['enabled'] === 'true', status: null },
      total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0, breakdown: { discounts: [], taxes: [] } },
      customer_details: null,
      currency,
      expires_at: expiresAt,
      client_reference_id: textOf(form['client_reference_id']),
      metadata: form['metadata'] ?? {},
      invoice: null,
      payment_intent: null,
      customer: stringOr(form['customer']),
      customer_email: stringOr(form['customer_email']),
      subscription: null,
      unit_amount: amount,
      payment_metadata: objectForm(form['payment_intent_data'])['metadata'] ?? {},
      interval: stringOr(interval),
      subscription_metadata: objectForm(form['subscription_data'])['metadata'] ?? {},
      interval_count: Number(count ?? 1),
    })
    this.#change(session, { url: `https://checkout.stripe.example/${session.id}` })
    return session
  }

  #update(subscription: Stored, form: Form): void {
    const atEnd = form['cancel_at_period_end']
    if (typeof atEnd === 'string') this.#change(subscription, { cancel_at_period_end: atEnd === 'true' })
    const price = objectForm(objectForm(objectForm(form['items'])['0'])['price_data'])
    if (price['unit_amount'] !== undefined) {
      const { interval, interval_count: count } = objectForm(price['recurring'])
      const facts = { unit_amount: Number(price['unit_amount']), interval: textOf(interval), interval_count: Number(count) }
      if (form['trial_end'] !== undefined) this.#change(subscription, { status: 'trialing', period_end: Number(form['trial_end']) })
      this.#change(subscription, facts)
    }
    this.#tell('customer.subscription.updated', subscription)
  }

  /** Newest first, in pages, as Stripe lists them. */
  #list(place: string, form: Form, expand: string[]): Json {
    const rest = expand.flatMap((path) => (path.startsWith('data.') ? path.slice(5) : []))
    const all = place === 'events' ? this.events : place === 'invoice_payments' ? [] : this.list(kinds[place] ?? '')
    if (place === 'invoice_payments') {
      const payment = objectForm(form['payment'])['payment_intent']
      const invoices = this.list('invoice').filter((invoice) => invoice['payment'] === payment)
      return page(invoices.map(({ id }) => ({ id: `inpay_${id}`, object: 'invoice_payment', invoice: id })))
    }
    const since = Number(objectForm(form['created'])['gte'] ?? 0)
    const payout = form['payout']
    const isWanted = (stored: Stored) => Number(stored['created']) >= since && (payout === undefined || stored['payout'] === payout)
    const found = all.filter(isWanted).toReversed()
    const after = form['starting_after']
    const from = after === undefined ? 0 : found.findIndex(({ id }) => id === after) + 1
    const most = Number(form['limit'] ?? 10)
    return page(
      found.slice(from, from + most).map((stored) => this.#view(stored, rest)),
      from + most < found.length,
    )
  }
}

const kinds: Record<string, string> = {
  sessions: 'checkout.session',
  payment_intents: 'payment_intent',
  refunds: 'refund',
  disputes: 'dispute',
  subscriptions: 'subscription',
  invoices: 'invoice',
  balance_transactions: 'balance_transaction',
  payouts: 'payout',
  tax_rates: 'tax_rate',
  portal_configurations: 'billing_portal.configuration',
}

class Refusal extends Error {
  readonly status: number
  readonly code: string | undefined

  constructor(status: number, message: string, code?: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

function subscriptionView(subscription: Stored): Json {
  const { item, taxed: _taxed, unit_amount, interval, interval_count, period_start, period_end, ...rest } = subscription
  const price = {
    object: 'price',
    unit_amount: unit_amount ?? 0,
    recurring: { interval: interval ?? '', interval_count: interval_count ?? 1 },
  }
  const line = {
    id: item ?? '',
    object: 'subscription_item',
    price,
    current_period_start: period_start ?? 0,
    current_period_end: period_end ?? 0,
  }
  return { ...rest, items: page([line]) }
}

function lengthOf({ interval, interval_count: count }: Stored): number {
  return lengths[`${textOf(interval)}:${Number(count)}`] ?? 0
}

/** A dispute that has the money, so that it cannot be refunded as well. */
function holds({ status }: Stored): boolean {
  return status === 'needs_response' || status === 'under_review' || status === 'lost'
}

function page(data: Json[], more = false): { [key: string]: Json } {
  return { object: 'list', url: '/v1', has_more: more, data }
}

function problem(message: string, type = 'invalid_request_error', code?: string): Json {
  return { error: { message, type, ...(code !== undefined && { code }) } }
}

function isTaxed({ automatic_tax: automatic }: Stored): boolean {
  return objectJson(automatic)['enabled'] === true
}

function objectJson(value: Json | undefined): { [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
}

function listOf(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : []
}

function objectForm(value: string | Form | undefined): Form {
  return typeof value === 'object' ? value : {}
}

function stringOr(value: string | Form | undefined): string | null {
  return typeof value === 'string' ? value : null
}

/** `a.b.c` and `a.d` are `a` with `b.c` and `d`. */
function expandsOf(paths: string[]): [field: string, rest: string[]][] {
  const found = new Map<string, string[]>()
  for (const path of paths) {
    const [field = '', ...rest] = path.split('.')
    found.set(field, [...(found.get(field) ?? []), ...(rest.length > 0 ? [rest.join('.')] : [])])
  }
  return [...found]
}

/** `a[b][0]=c` as an object. */
function formOf(written: string): Form {
  const form: Form = {}
  for (const [name, value] of new URLSearchParams(written)) {
    const keys = name.split(/[[\]]+/).filter(Boolean)
    let place = form
    for (const key of keys.slice(0, -1)) {
      const inner = objectForm(place[key])
      place[key] = inner
      place = inner
    }
    place[keys.at(-1) ?? ''] = value
  }
  return form
}

/** A text or number as text; anything else would be a mistake of a test. */
function textOf(value: unknown): string {
  if (typeof value !== 'string' && typeof value !== 'number') throw new Error(`This is no text: ${JSON.stringify(value)}`)
  return `${value}`
}
