import { beforeEach, describe, expect, test } from 'vitest'
import { findOrderRecord } from '#app/billing/admin/order-record.server.ts'
import { placeOrder } from '#app/billing/orders/place-order.server.ts'
import { totalsOf } from '#app/billing/orders/totals.ts'
import { settlePayment } from '#app/billing/payments/settlement.server.ts'
import { db, insert, newId, transaction } from '#app/platform/database/db.server.ts'
import type { NewRow, Row } from '#db/tables.ts'
import { startEndpoints } from '#test/app.ts'
import { balancesOf } from '#test/billing.ts'
import { emailsTo } from '#test/emails.ts'
import { aDataset, berlin, makeCompany, saveBilling } from '#test/invoices.ts'
import { remindOfInvoices } from './reminder.server.ts'

await startEndpoints()
const settings = { ...berlin, reminderFee: '40', reminderInterest: '9' }
beforeEach(async () => saveBilling(settings))

const DAY_MS = 86_400_000
/** Far from midnight, wherever the business is. */
const due = new Date(`${new Date().toISOString().slice(0, 10)}T12:00:00Z`)
const after = (days: number) => new Date(due.getTime() + days * DAY_MS)

/** An unpaid order by invoice of a company. */
async function bill(company: Partial<NewRow<'organizations'>> = {}, currency = 'USD') {
  const address = `${newId()}@acme.example`
  const buyer = await makeCompany({ billingEmails: address, ...company })
  const totals = totalsOf([aDataset], () => ({ category: 'O', rate: 0, reason: 'Out of scope' }))
  const facts = { kind: 'final', method: 'invoice', organizationId: buyer.id, userId: null, currency, totals } as const
  const order = await transaction((trx) => placeOrder(trx, { ...facts, title: 'A crawler', dueAt: due }))
  return { order, address, buyer }
}

const remindersTo = async (address: string) =>
  (await emailsTo(address)).filter(({ kind }) => kind === 'payment-reminder').map(({ data }) => data)
const stepsOf = async ({ id }: Row<'orders'>) =>
  db.selectFrom('orderReminders').select(['step', 'fee', 'interest']).where('orderId', '=', id).orderBy('step').execute()
const feesOf = async ({ organizationId }: Row<'orders'>) =>
  db.selectFrom('orders').selectAll().where('organizationId', '=', organizationId).where('kind', '=', 'fee').execute()

async function pay({ id: orderId, currency }: Row<'orders'>, amount: number) {
  const facts = { provider: 'transfer', providerId: newId(), currency, paidAt: new Date(), fee: null } as const
  return transaction((trx) => settlePayment(trx, { ...facts, amount, orderId }))
}

async function dispute({ id: orderId, organizationId, currency }: Row<'orders'>) {
  const payment = { organizationId, provider: 'test', providerId: newId(), amount: 100, currency, paidAt: new Date() } as const
  const { id: paymentId } = await insert(db, 'payments', payment)
  await insert(db, 'disputes', { orderId, paymentId, providerId: newId(), amount: 100, currency, state: 'inquiry' })
}

describe('happy', () => {
  test('an unpaid invoice has reminders after 3, 10 and 20 days, the second with a fee of its own invoice, the last with the interest', async () => {
    const { order, address } = await bill()
    const counts = []
    for (const days of [2, 3, 9, 10, 19, 20, 40]) {
      await remindOfInvoices(after(days))
      counts.push((await remindersTo(address)).length)
    }
    expect(counts).toEqual([0, 1, 1, 2, 2, 3, 3])
    const interest = Math.round((14_900 * 9 * 20) / 36_500)
    expect(await stepsOf(order)).toEqual([
      { step: 1, fee: 0, interest: 0 },
      { step: 2, fee: 4000, interest: 0 },
      { step: 3, fee: 0, interest },
    ])
    const { number } = await db.selectFrom('invoices').select('number').where('orderId', '=', order.id).executeTakeFirstOrThrow()
    const account = { name: 'Winnow Daten GmbH', iban: 'DE89 3704 0044 0532 0130 00', bic: 'COBADEFFXXX' }
    expect(await remindersTo(address)).toMatchObject([
      { number, owed: '$149.00', account, fee: '', link: `http://localhost:3000/pay/${order.reference}` },
      { number, owed: '$149.00', fee: '$40.00', interest: '' },
      { number, owed: '$149.00', fee: '', interest: '$0.73', rate: '9' },
    ])
    const [fee, ...others] = await feesOf(order)
    expect([fee, others]).toMatchObject([{ gross: 4000, state: 'open', method: 'invoice', taxParts: [{ category: 'AE' }] }, []])
    expect(await balancesOf(fee?.id ?? '')).toEqual({ receivable: 4000, reminder_fees: -4000 })
    expect(await balancesOf(order.id)).toMatchObject({ receivable: 14_900 })
    const { timeline = [] } = (await findOrderRecord(order.reference, newId())) ?? {}
    expect(timeline.map(({ action }) => action)).toEqual([
      'last_reminder_sent',
      'second_reminder_sent',
      'first_reminder_sent',
      'order_placed',
    ])
  })

  test('two runs at once send a reminder once, and a late one keeps the distance to the next', async () => {
    const { address } = await bill()
    await Promise.all([remindOfInvoices(after(30)), remindOfInvoices(after(30)), remindOfInvoices(after(30))])
    const counts = []
    for (const days of [31, 36, 37, 46, 47]) {
      await Promise.all([remindOfInvoices(after(days)), remindOfInvoices(after(days))])
      counts.push((await remindersTo(address)).length)
    }
    expect(counts).toEqual([1, 1, 2, 2, 3])
  })

  test('a part that was paid is not asked for again, and the email is in the language of the invoice', async () => {
    const { order, address } = await bill({ language: 'de' })
    await pay(order, 4900)
    await remindOfInvoices(after(3))
    expect(await remindersTo(address)).toMatchObject([{ language: 'de', owed: '100,00\u00A0$' }])
  })

  test('a reminder asks for what is still owed, after parts that were paid between two of them, and its interest is on that', async () => {
    const { order, address } = await bill()
    const owed = []
    for (const [days, amount] of [
      [3, 4900],
      [10, 2550],
      [20, 0],
    ] as const) {
      await remindOfInvoices(after(days))
      if (amount > 0) await pay(order, amount)
      owed.push((await remindersTo(address)).at(-1)?.['owed'])
    }
    expect(owed).toEqual(['$149.00', '$100.00', '$74.50'])
    expect((await stepsOf(order)).at(-1)?.interest).toBe(Math.round((7450 * 9 * 20) / 36_500))
  })
})

describe('error', () => {
  const change = (set: Partial<Pick<Row<'orders'>, 'state' | 'remindersPaused'>>) => async (order: Row<'orders'>) =>
    void (await db.updateTable('orders').set(set).where('id', '=', order.id).execute())
  test.each([
    ['paid since', async (order: Row<'orders'>) => void (await pay(order, order.gross))],
    ['paused', change({ remindersPaused: true })],
    ['cancelled', change({ state: 'cancelled' })],
    ['disputed', dispute],
    [
      'of a closed organization',
      async ({ organizationId }: Row<'orders'>) =>
        void (await db.updateTable('organizations').set({ state: 'closed' }).where('id', '=', organizationId).execute()),
    ],
    [
      'being paid',
      async ({ id: orderId, currency, gross: amount }: Row<'orders'>) =>
        void (await insert(db, 'checkouts', { orderId, provider: 'test', amount, currency, state: 'processing' })),
    ],
  ])('nobody is reminded of an order that is %s', async (_name, settle) => {
    const { order, address } = await bill()
    await remindOfInvoices(after(3))
    await settle(order)
    await remindOfInvoices(after(10))
    expect([(await remindersTo(address)).length, (await stepsOf(order)).length, await feesOf(order)]).toEqual([1, 1, []])
  })

  test('a reminder whose fee has no tax rule waits whole, while the others are sent', async () => {
    const [german, other] = [await bill({ countryCode: 'DE', vatNumber: '', vatState: 'not_checked' }), await bill()]
    await remindOfInvoices(after(3))
    await saveBilling({ ...settings, rates: [] })
    await expect(remindOfInvoices(after(10))).rejects.toThrow(german.order.reference)
    expect([(await remindersTo(german.address)).length, (await stepsOf(german.order)).length]).toEqual([1, 1])
    expect(await remindersTo(other.address)).toHaveLength(2)
    await saveBilling(settings)
    await remindOfInvoices(after(11))
    expect(await remindersTo(german.address)).toMatchObject([{}, { fee: '$42.80' }])
    expect(await feesOf(german.order)).toMatchObject([{ net: 4000, tax: 280, gross: 4280 }])
  })

  test('consumers have neither fee nor interest, and invoices in other currencies no fee', async () => {
    const [consumer, foreign] = [await bill({ kind: 'consumer' }), await bill({}, 'EUR')]
    for (const days of [3, 10, 20]) await remindOfInvoices(after(days))
    const chargedTo = async (address: string) => (await remindersTo(address)).map(({ fee, interest }) => `${fee}${interest}`)
    expect(await chargedTo(consumer.address)).toEqual(['', '', ''])
    expect(await chargedTo(foreign.address)).toEqual(['', '', '€0.73'])
  })
})
