import { parse } from 'csv-parse/sync'
import { z } from 'zod'
import { unzipSync } from 'fflate'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { correctInvoice, issueCreditNote } from '#app/billing/invoices/invoice.server.ts'
import { makeInvoice } from '#app/billing/invoices/make.server.ts'
import { placeOrder } from '#app/billing/orders/place-order.server.ts'
import { totalsOf } from '#app/billing/orders/totals.ts'
import { taxOf } from '#app/billing/tax/tax.server.ts'
import { db, insert, newId, transaction } from '#app/platform/database/db.server.ts'
import { closeLimits } from '#app/platform/guard/limits.server.ts'
import type { Row } from '#db/tables.ts'
import { startEndpoints } from '#test/app.ts'
import { makeOrder } from '#test/billing.ts'
import { signIn, type SignedIn } from '#test/factories.ts'
import { aDataset, berlin, makeCompany, saveBilling } from '#test/invoices.ts'
import { listedMonth } from './month-end.ts'

const app = await startEndpoints()
const [clerk, reader, buyer] = [await signIn('staff', { rights: '["billing.write"]' }), await signIn('staff'), await signIn()]
beforeAll(async () => saveBilling(berlin))
beforeEach(closeLimits)

const ask = (method: 'GET' | 'POST', path: string, { headers }: Pick<SignedIn, 'headers'> = clerk, payload?: object) =>
  app.inject({ method, url: `/api/admin/billing${path}`, headers, ...(payload && { payload }) })

async function bill(company: Row<'organizations'>): Promise<Row<'orders'>> {
  const totals = totalsOf([aDataset], taxOf(company, new Date(), { isTest: true, currency: 'USD' }))
  const given = {
    kind: 'final',
    method: 'invoice',
    organizationId: company.id,
    userId: null,
    title: 'A crawler',
    currency: 'USD',
    totals,
  } as const
  return transaction((trx) => placeOrder(trx, given))
}

const pay = (order: Row<'orders'>, paidOn: string, amount = 1000) =>
  ask('POST', '/payments', clerk, { key: newId(), order: order.reference, amount, paidOn, note: 'In cash' })

const rowsOf = (text: string, delimiter = ',') =>
  z.array(z.record(z.string(), z.string())).parse(parse(text, { delimiter, columns: true, relax_quotes: true }))
const thisMonth = async () => listedMonth.parse((await ask('GET', '/months')).json()[0]).id
const entriesIn = async (order: Row<'orders'>) =>
  (
    await db.selectFrom('ledgerEntries').select('occurredAt').where('orderId', '=', order.id).where('cause', 'like', 'payment:%').execute()
  ).map(({ occurredAt }) => occurredAt.toISOString().slice(0, 10))

describe('happy', () => {
  test('the files of a month agree with its ledger and its invoices', async () => {
    const [french, german] = [
      await makeCompany({ legalName: 'Été & Cie' }),
      await makeCompany({ countryCode: 'DE', vatNumber: '', region: '' }),
    ]
    const [one, two] = [await bill(french), await bill(german)]
    await pay(one, new Date().toISOString().slice(0, 10))
    const month = await thisMonth()
    const file = async (name: string) => (await ask('GET', `/months/${month}/${name}`)).body
    const journal = rowsOf(await file('journal.csv'))
    const total = (side: string) => journal.reduce((sum, row) => sum + Math.round(Number(row[side] || 0) * 100), 0)
    expect(total('Debit')).toBe(total('Credit'))
    expect(journal.filter(({ Order }) => Order === two.reference).map(({ Account }) => Account)).toEqual(
      expect.arrayContaining(['receivable', 'revenue', 'tax']),
    )
    expect(rowsOf(await file('vat.csv'))).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ Country: 'FR', Category: 'AE', Tax: '0.00' }),
        expect.objectContaining({ Country: 'DE', Category: 'S', 'Rate in percent': '19', Net: '149.00', Tax: '28.31' }),
      ]),
    )
    expect(rowsOf(await file('ec-sales.csv'))).toContainEqual(
      expect.objectContaining({ Country: 'FR', 'VAT number': 'FR83404833048', Net: '149.00' }),
    )
    expect(rowsOf(await file('open-items.csv'))).toContainEqual(expect.objectContaining({ Order: one.reference, Owed: '139.00' }))
    const [head = '', ...booked] = (await ask('GET', `/months/${month}/datev.csv`)).rawPayload.toString('latin1').split('\r\n')
    expect(head).toMatch(/^"EXTF";700;21;"Buchungsstapel";13;\d{17};/)
    const batch = rowsOf(booked.join('\n'), ';')
    expect(batch).toContainEqual(expect.objectContaining({ 'Umsatz (ohne Soll/Haben-Kz)': '149,00', Konto: '1400', 'BU-Schlüssel': '40' }))
    const sum = batch.reduce((all, row) => all + Math.round(Number(row['Umsatz (ohne Soll/Haben-Kz)']?.replace(',', '.')) * 100), 0)
    expect(sum).toBe(total('Debit'))
    expect(batch.some(({ Buchungstext }) => Buchungstext?.includes('Été'))).toBe(true)
  })

  test('a company whose VAT number or country was corrected is reported with the new one, also after a credit', async () => {
    const company = await makeCompany({ vatNumber: 'FR40303265045' })
    const order = await bill(company)
    const invoice = await db.selectFrom('invoices').select('id').where('orderId', '=', order.id).executeTakeFirstOrThrow()
    const facts = { countryCode: 'AT', vatNumber: 'ATU99999999', legalName: 'Acme Wien GmbH' }
    await db.updateTable('organizations').set(facts).where('id', '=', company.id).execute()
    await transaction((trx) => correctInvoice(trx, invoice.id, 'The company moved before', {}))
    const file = async (name: string) => rowsOf((await ask('GET', `/months/${await thisMonth()}/${name}`)).body)
    const sold = async () =>
      (await file('ec-sales.csv'))
        .filter((row) => ['FR40303265045', 'ATU99999999'].includes(row['VAT number'] ?? ''))
        .map((row) => [row['Country'], row['VAT number'], row['Net']])
    expect(await sold()).toEqual([['AT', 'ATU99999999', '149.00']])
    expect((await file('vat.csv')).find(({ Country }) => Country === 'AT')).toMatchObject({ Category: 'AE', Net: '149.00' })
    await transaction((trx) => issueCreditNote(trx, { orderId: order.id, amount: 4900, reason: 'Agreed' }))
    expect(await sold()).toEqual([['AT', 'ATU99999999', '100.00']])
  })

  test('the archive has the documents of a month as PDF', async () => {
    const order = await bill(await makeCompany())
    const invoice = await db.selectFrom('invoices').select(['id', 'number']).where('orderId', '=', order.id).executeTakeFirstOrThrow()
    await makeInvoice(invoice.id)
    const reply = await ask('GET', `/months/${await thisMonth()}/documents.zip`)
    const files = unzipSync(reply.rawPayload)
    expect(Buffer.from(files[`${invoice.number}.pdf`] ?? []).toString('latin1', 0, 5)).toBe('%PDF-')
    expect(Buffer.from(files['missing.txt'] ?? []).toString()).not.toContain(invoice.number)
  })

  test('a closed month takes no booking: what is learned of it later is booked into the open one', async () => {
    const order = await bill(await makeCompany())
    await pay(order, '2026-01-05')
    expect(await entriesIn(order)).toEqual(['2026-01-05', '2026-01-05'])
    expect((await ask('POST', '/months/2026-01/close')).statusCode).toBe(204)
    await pay(order, '2026-01-06')
    const today = new Date().toISOString().slice(0, 10)
    expect((await entriesIn(order)).filter((day) => day === today)).toHaveLength(2)
    const { detail, actorId } = await db
      .selectFrom('auditEvents')
      .select(['detail', 'actorId'])
      .where('action', '=', 'month_closed')
      .executeTakeFirstOrThrow()
    expect([detail, actorId]).toEqual([{ month: '2026-01' }, clerk.user.id])
  })
})

describe('error', () => {
  test('a month is closed once, when it is over, and a month that does not exist is refused', async () => {
    expect((await ask('POST', `/months/${await thisMonth()}/close`)).json().code).toBe('month_open')
    const both = await Promise.all([ask('POST', '/months/2026-02/close'), ask('POST', '/months/2026-02/close')])
    expect(both.filter(({ statusCode }) => statusCode === 204)).toHaveLength(1)
    expect((await ask('GET', '/months/2026-13/vat.csv')).statusCode).toBe(422)
  })

  test('months are listed without a gap from the first document on, and closing one closes those before it', async () => {
    const current = Temporal.PlainYearMonth.from(await thisMonth())
    const months = [0, 1, 2, 3, 4].map((ago) => current.subtract({ months: ago }).toString())
    const billed = await bill(await makeCompany())
    const old = await makeOrder({ userId: buyer.user.id })
    const invoice = await db.selectFrom('invoices').selectAll().where('orderId', '=', billed.id).executeTakeFirstOrThrow()
    const facts = {
      id: newId(),
      orderId: old.id,
      number: `OLD-${old.reference}`,
      series: 'OLD-',
      currency: 'CHF',
      issuedOn: `${months[4]}-10`,
    }
    const document = JSON.stringify(invoice.document)
    await insert(db, 'invoices', { ...invoice, ...facts, document, createdAt: undefined })
    expect((await ask('POST', `/months/${months[2]}/close`)).statusCode).toBe(204)
    const listed = z.array(listedMonth).parse((await ask('GET', '/months')).json())
    expect(listed.map(({ id }) => id)).toEqual(months)
    expect(listed.map(({ closedBy }) => closedBy)).toEqual([null, null, ...Array.from({ length: 3 }, () => clerk.user.email)])
    expect([listed[3], listed[4]]).toMatchObject([{ documents: 0 }, { documents: 1, foreign: 1, net: 0 }])
    expect((await ask('POST', `/months/${months[3]}/close`)).json().code).toBe('month_closed')
  })
})

describe('security', () => {
  test('customers get no file; all staff do, and only those with the right close a month', async () => {
    for (const path of ['/months', '/months/2026-03/journal.csv', '/months/2026-03/documents.zip']) {
      expect((await ask('GET', path, buyer)).statusCode).toBe(403)
      expect((await ask('GET', path, reader)).statusCode).toBe(200)
    }
    for (const person of [buyer, reader]) expect((await ask('POST', '/months/2026-03/close', person)).statusCode).toBe(403)
  })
})
