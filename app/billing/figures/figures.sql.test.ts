import { beforeAll, describe, expect, test } from 'vitest'
import { endOrder } from '#app/billing/orders/fulfilment.server.ts'
import { placeOrder } from '#app/billing/orders/place-order.server.ts'
import { totalsOf } from '#app/billing/orders/totals.ts'
import { issueInvoice } from '#app/billing/invoices/invoice.server.ts'
import { transaction } from '#app/platform/database/db.server.ts'
import { startEndpoints } from '#test/app.ts'
import { signIn, type SignedIn } from '#test/factories.ts'
import { aDataset, berlin, makeCompany, saveBilling } from '#test/invoices.ts'
import { billingFigures } from './figures.ts'

const app = await startEndpoints()
const [staff, customer] = [await signIn('staff'), await signIn()]
beforeAll(async () => saveBilling(berlin))

const read = ({ headers }: Pick<SignedIn, 'headers'>) => app.inject({ url: '/api/admin/billing/figures', headers })
const figures = async () => billingFigures.parse((await read(staff)).json())
const thisMonth = async () => (await figures()).months.at(-1)

describe('happy', () => {
  test('an invoice is open revenue of its month, net; a deposit that nobody has paid is awaited', async () => {
    const company = await makeCompany()
    const totals = totalsOf([aDataset], () => ({ category: 'S', rate: 1900, reason: '' }))
    const before = await figures()
    await transaction(async (trx) => {
      const given = { organizationId: company.id, userId: null, title: 'A crawler', currency: before.currency, totals } as const
      const order = await placeOrder(trx, { ...given, kind: 'final', method: 'invoice' })
      await issueInvoice(trx, order.id, 'invoice')
      await placeOrder(trx, { ...given, kind: 'deposit' })
    })
    const after = await figures()
    expect(after.months).toHaveLength(12)
    expect((await thisMonth())?.open).toBe((before.months.at(-1)?.open ?? 0) + aDataset.unitAmount)
    expect(after.unpaid).toEqual({ ...before.unpaid, owed: before.unpaid.owed + totals.gross })
    expect(after.deposits).toEqual({ count: before.deposits.count + 1, gross: before.deposits.gross + totals.gross })
    expect(after.services.map(({ name }) => name)).toContain('Other')
  })

  test('a cancelled invoice and its credit note are no revenue; orders of the other kind, tests or real, are awaited nowhere', async () => {
    const company = await makeCompany()
    const totals = totalsOf([aDataset], () => ({ category: 'S', rate: 1900, reason: '' }))
    const before = await figures()
    await transaction(async (trx) => {
      const given = { organizationId: company.id, userId: null, title: 'A crawler', currency: before.currency, totals } as const
      const order = await placeOrder(trx, { ...given, kind: 'final', method: 'invoice', dueAt: new Date(0) })
      await issueInvoice(trx, order.id, 'invoice')
      await endOrder(trx, order.id, 'cancelled')
      await placeOrder(trx, { ...given, kind: 'deposit', isTest: false })
    })
    expect(await figures()).toEqual(before)
  })
})

describe('security', () => {
  test('customers and strangers see no figures', async () => {
    expect((await read(customer)).statusCode).toBe(403)
    expect((await app.inject('/api/admin/billing/figures')).statusCode).toBe(401)
  })
})
