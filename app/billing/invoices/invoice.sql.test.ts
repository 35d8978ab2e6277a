import { beforeAll, describe, expect, test } from 'vitest'
import { db, transaction } from '#app/platform/database/db.server.ts'
import { startEndpoints } from '#test/app.ts'
import { aDataset, berlin, makeCompany, makeOrder, saveBilling } from '#test/invoices.ts'
import { deleteOldInvoices } from './retention.server.ts'
import { correctInvoice, findInvoicesOf, issueCreditNote, issueInvoice } from './invoice.server.ts'

await startEndpoints()
beforeAll(async () => saveBilling(berlin))

const issue = (id: string, at?: Date) => transaction((trx) => issueInvoice(trx, id, 'invoice', at))
const documentOf = async (id: string) =>
  (await db.selectFrom('invoices').select('document').where('id', '=', id).executeTakeFirstOrThrow()).document
const november = new Date('2033-11-20T10:00:00Z')
const serialOf = ({ number }: { number: string }) => Number(number.split('-').at(-1))

describe('happy', () => {
  test('an order has one invoice with both parties, and its number follows the one before', async () => {
    const buyer = await makeCompany({ language: 'de' })
    const [one, two] = [await makeOrder(buyer, [aDataset], { purchaseOrder: 'PO-7' }), await makeOrder(buyer)]
    const first = await issue(one.id)
    const second = await issue(two.id)
    expect(await issue(one.id)).toEqual(first)
    expect(first.number).toMatch(/^INV-\d{4}-\d{4}$/)
    expect(serialOf(second)).toBe(serialOf(first) + 1)
    expect(await documentOf(first.id)).toMatchObject({
      number: first.number,
      language: 'de',
      seller: { name: 'Winnow Daten GmbH', vatNumber: 'DE136695976' },
      buyer: { name: 'Acme Retail SARL', vatNumber: 'FR83404833048', email: 'billing@acme.example' },
      purchaseOrder: 'PO-7',
      taxParts: [{ category: 'AE', net: 14_900, tax: 0 }],
      isPaid: true,
      dueOn: null,
    })
  })

  test('numbers restart with each year of the business, and test orders have their own series', async () => {
    const buyer = await makeCompany()
    const at = (moment: string) => new Date(moment)
    const numbers = []
    for (const moment of ['2031-12-31T22:59:59Z', '2031-12-31T23:00:00Z', '2031-12-31T23:00:01Z'])
      numbers.push((await issue((await makeOrder(buyer)).id, at(moment))).number)
    expect(numbers).toEqual(['INV-2031-0001', 'INV-2032-0001', 'INV-2032-0002'])
    const test = await issue((await makeOrder(buyer, [aDataset], { isTest: true })).id, at('2031-05-01T00:00:00Z'))
    expect([test.number, test.isTest]).toEqual(['TEST-2031-0001', true])
  })

  test('an invoice is due on the day of the business, also where it is another day in UTC', async () => {
    const dueAt = new Date('2031-03-04T23:30:00Z')
    const order = await makeOrder(await makeCompany(), [aDataset], { method: 'invoice', state: 'open', dueAt })
    expect((await issue(order.id)).dueOn).toBe('2031-03-05')
  })

  test('a transaction that fails leaves no gap', async () => {
    const buyer = await makeCompany()
    const [failed, order] = [await makeOrder(buyer), await makeOrder(buyer)]
    const at = new Date('2040-06-01T00:00:00Z')
    const work = transaction(async (trx) => {
      await issueInvoice(trx, failed.id, 'invoice', at)
      throw new Error('The card was declined.')
    })
    await expect(work).rejects.toThrow('declined')
    expect((await issue(order.id, at)).number).toBe('INV-2040-0001')
    expect(await findInvoicesOf(failed.id)).toEqual([])
  })

  test('credits share the rates of their invoice, and the last one credits exactly the rest', async () => {
    const german = await makeCompany({ countryCode: 'DE', vatNumber: '', vatState: 'not_checked' })
    const order = await makeOrder(german, [aDataset, { ...aDataset, title: 'A day of work', supply: 'service', unitAmount: 33_333 }])
    const invoice = await issue(order.id)
    const credit = (amount: number) => transaction((trx) => issueCreditNote(trx, { orderId: order.id, amount, reason: 'Agreed by phone' }))
    const notes = [await credit(1), await credit(9_999), await credit(order.gross - 10_000)]
    expect(notes.reduce((sum, { gross }) => sum + gross, 0)).toBe(invoice.gross)
    expect(notes.reduce((sum, { tax }) => sum + tax, 0)).toBe(invoice.tax)
    expect(await documentOf(notes[1]?.id ?? '')).toMatchObject({ corrects: { number: invoice.number }, reason: 'Agreed by phone' })
    await expect(credit(1)).rejects.toMatchObject({ data: expect.stringContaining('the part that has not been credited yet') })
  })

  test('a corrected invoice has the present name of the buyer and the same amounts, and the first stays as it was', async () => {
    const buyer = await makeCompany()
    const order = await makeOrder(buyer)
    const invoice = await issue(order.id)
    await db.updateTable('organizations').set({ legalName: 'Acme Groupe SA' }).where('id', '=', buyer.id).execute()
    const corrected = await transaction((trx) => correctInvoice(trx, invoice.id, 'The name was wrong', {}))
    expect([corrected.kind, corrected.gross]).toEqual(['corrected', invoice.gross])
    expect((await documentOf(corrected.id)).buyer.name).toBe('Acme Groupe SA')
    expect((await documentOf(invoice.id)).buyer.name).toBe('Acme Retail SARL')
  })

  test('what is corrected or credited later keeps the day of its supply and the exchange rate of its invoice', async () => {
    await saveBilling({
      ...berlin,
      exchange: [
        { currency: 'CHF', rate: '0.80', on: '2026-01-01' },
        { currency: 'CHF', rate: '0.50', on: '2033-12-01' },
      ],
    })
    const german = await makeCompany({ countryCode: 'DE', vatNumber: '', vatState: 'not_checked' })
    const orders = [await makeOrder(german, [aDataset], { currency: 'CHF' }), await makeOrder(german, [aDataset], { currency: 'CHF' })]
    const [first, second] = [await issue(orders[0]?.id ?? '', november), await issue(orders[1]?.id ?? '', november)]
    const later = new Date('2033-12-05T10:00:00Z')
    const corrected = await transaction((trx) => correctInvoice(trx, first.id, 'The name was wrong', {}, later))
    const credit = { orderId: orders[1]?.id ?? '', amount: second.gross, reason: 'Agreed' }
    const note = await transaction((trx) => issueCreditNote(trx, credit, later))
    const before = await documentOf(first.id)
    for (const { id } of [corrected, note])
      expect(await documentOf(id)).toMatchObject({ suppliedOn: '2033-11-20', issuedOn: '2033-12-05', exchange: before.exchange })
    await saveBilling(berlin)
  })

  test('an invoice that was paid meanwhile asks for nothing when it is corrected', async () => {
    const order = await makeOrder(await makeCompany(), [aDataset], { method: 'invoice', state: 'open' })
    const invoice = await issue(order.id)
    await db.updateTable('orders').set({ state: 'paid', paidAt: new Date() }).where('id', '=', order.id).execute()
    const corrected = await transaction((trx) => correctInvoice(trx, invoice.id, 'The name was wrong', {}))
    expect(await documentOf(corrected.id)).toMatchObject({ isPaid: true, dueOn: null })
  })
})

describe('retention', () => {
  test('an invoice stays for the years of the settings, and goes with its credit notes once all of them are old', async () => {
    const buyer = await makeCompany()
    const [old, renewed] = [await makeOrder(buyer), await makeOrder(buyer)]
    const moment = (year: number) => new Date(`${year}-06-01T00:00:00Z`)
    for (const order of [old, renewed]) await issue(order.id, moment(2012))
    const credit = (orderId: string, year: number) =>
      transaction((trx) => issueCreditNote(trx, { orderId, amount: 100, reason: 'Late' }, moment(year)))
    await credit(old.id, 2013)
    await credit(renewed.id, 2019)
    const left = async () => [(await findInvoicesOf(old.id)).length, (await findInvoicesOf(renewed.id)).length]
    await deleteOldInvoices(moment(2023))
    expect(await left()).toEqual([2, 2])
    await deleteOldInvoices(moment(2024))
    expect(await left()).toEqual([0, 2])
  })
})

describe('security', () => {
  test('nothing changes or removes an invoice, but test invoices can be removed', async () => {
    const buyer = await makeCompany()
    const real = await issue((await makeOrder(buyer)).id)
    const test = await issue((await makeOrder(buyer, [aDataset], { isTest: true })).id)
    const change = db.updateTable('invoices').set({ gross: 1, net: 1, tax: 0 })
    await expect(change.where('id', '=', real.id).execute()).rejects.toThrow('never changed')
    await expect(change.where('id', '=', test.id).execute()).rejects.toThrow('never changed')
    await expect(db.deleteFrom('invoices').where('id', '=', real.id).execute()).rejects.toThrow('never changed')
    await db.deleteFrom('invoices').where('id', '=', test.id).execute()
  })
})
