import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { taxModes } from '#app/content/settings/sections.server.ts'
import { db, transaction } from '#app/platform/database/db.server.ts'
import { refusedByRules, refusedBySchema } from '#test/en16931.ts'
import { startEndpoints } from '#test/app.ts'
import { berlin, makeCompany, makeOrder, saveBilling } from '#test/invoices.ts'
import { byLength } from '#test/length.ts'
import type { InvoiceDocument } from './document.ts'
import { issueCreditNote, issueInvoice, reverseCreditNotes } from './invoice.server.ts'
import { depositOf, restOf } from './prepayment.ts'
import { invoiceXml } from './xml.server.ts'

await startEndpoints()
const folder = mkdtempSync(path.join(tmpdir(), 'winnow-en16931-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const german = { countryCode: 'DE', vatNumber: 'DE811907980', vatState: 'valid', address: 'Ring 1\nHinterhaus\n50667 Köln' } as const
const french = { countryCode: 'FR', vatNumber: '', vatState: 'not_checked' } as const
const rule = (country: string, supply: 'Everything' | 'Data' | 'Services', rate: string, exempt?: string) => ({
  country,
  supply,
  rate,
  ...(exempt && { exempt }),
})

/** The cases of tax: how the seller is set up, who buys, and in which currency. */
const cases = {
  domestic: { seller: berlin, buyer: german },
  'two rates': { seller: { ...berlin, rates: [rule('DE', 'Data', '19'), rule('DE', 'Services', '7')] }, buyer: german },
  'zero rate': { seller: { ...berlin, rates: [rule('DE', 'Everything', '0')] }, buyer: german },
  exempt: { seller: { ...berlin, rates: [rule('DE', 'Data', '0', 'Exempt by § 4 UStG.'), rule('DE', 'Services', '19')] }, buyer: german },
  'small business': { seller: { ...berlin, mode: taxModes.small, taxNumber: '30/123/45678' }, buyer: german },
  'reverse charge': { seller: berlin, buyer: {} },
  'tax of the buyer’s country': { seller: berlin, buyer: french },
  'outside of VAT': {
    seller: { ...berlin, mode: taxModes.none, country: 'US', vatNumber: undefined, iban: undefined, taxNumber: '12-3456789' },
    buyer: {},
  },
  'another currency': {
    seller: { ...berlin, exchange: [{ currency: 'CHF' as const, rate: '0.9412', on: '2026-01-01' }] },
    buyer: german,
    currency: 'CHF',
  },
} as const

const line = fc.record({
  title: fc.constantFrom('Prices of 40 shops', 'Ein Arbeitstag', 'Données <brutes> & "nettes"'),
  detail: fc.constantFrom('', 'All versions of 12 months'),
  quantity: fc.constantFrom(1000, 500, 2000, 1250, 333),
  unitAmount: fc.integer({ min: 1, max: 1_000_000 }),
  supply: fc.constantFrom('data' as const, 'service' as const),
})

const formats = ['', 'xrechnung', 'peppol'] as const

async function documentsOf(name: keyof typeof cases, count: number): Promise<InvoiceDocument[]> {
  const { seller, buyer, ...rest } = cases[name]
  await saveBilling(seller)
  const documents: InvoiceDocument[] = []
  for (const [at, lines] of fc.sample(fc.array(line, { minLength: 1, maxLength: 6 }), count).entries()) {
    const company = await makeCompany({ ...buyer, invoiceFormat: formats[at % 3] ?? '', language: at % 2 ? 'de' : 'en' })
    const plain = lines.map((one) => ({ ...one, discount: at % 4 === 0 ? Math.floor((one.unitAmount * one.quantity) / 10_000) : 0 }))
    const given = at % 5 === 2 ? [...plain, ...discountOn(plain)] : plain
    const method = at % 2 === 0 ? ('checkout' as const) : ('invoice' as const)
    const currency = 'currency' in rest ? rest.currency : 'USD'
    const order = await makeOrder(company, given, {
      method,
      currency,
      state: method === 'invoice' ? 'open' : 'paid',
      purchaseOrder: at % 5 ? '' : 'PO-1',
    })
    await transaction(async (trx) => {
      await issueInvoice(trx, order.id, 'invoice')
      if (order.gross <= 3 || at % 3 !== 0) return
      await issueCreditNote(trx, { orderId: order.id, amount: Math.ceil(order.gross / 3), reason: 'Agreed' })
      // Its refund did not arrive, as a whole or in part.
      await reverseCreditNotes(trx, order.id, at % 2 === 0 ? Math.ceil(order.gross / 3) : 1)
    })
    const rows = await db.selectFrom('invoices').select('document').where('orderId', '=', order.id).execute()
    documents.push(...rows.map(({ document }) => document), ...(at % 3 === 1 ? withDeposit(rows[0]?.document) : []))
  }
  return documents
}

/** A tenth of the first line off the whole. */
function discountOn([first]: readonly { unitAmount: number; quantity: number; supply: 'data' | 'service' }[]) {
  const unitAmount = first ? Math.floor((first.unitAmount * first.quantity) / 10_000) : 0
  const allowance = { title: 'Discount', detail: '10%', quantity: -1000, unitAmount, discount: 0, isAllowance: true }
  return first && unitAmount > 0 ? [{ ...allowance, supply: first.supply }] : []
}

/** A deposit of a half on the same whole, and its final invoice. */
function withDeposit(whole: InvoiceDocument | undefined): InvoiceDocument[] {
  if (!whole) return []
  const deposit = {
    ...whole,
    ...depositOf(whole, 5000, 'Deposit'),
    number: `${whole.number}-D`,
    kind: 'prepayment' as const,
    exchange: null,
  }
  const { number, issuedOn, net, tax, gross, taxParts } = deposit
  const prepaid = [{ number, issuedOn, net, tax, gross, taxParts }]
  return [deposit, { ...whole, ...restOf(whole, prepaid), number: `${whole.number}-F`, prepaid, exchange: null }]
}

test('documents of every case of tax pass the schema and the rules of EN 16931', async () => {
  const found = { cii: new Array<{ name: string; xml: string }>(), ubl: new Array<{ name: string; xml: string }>() }
  for (const name of Object.keys(cases)) {
    if (!isCase(name)) continue
    for (const document of await documentsOf(name, byLength(2, 40))) {
      const file = `${name.replaceAll(/\W/g, '-')}-${document.number}.xml`
      found[document.format === 'factur-x' ? 'cii' : 'ubl'].push({ name: file, xml: await invoiceXml(document) })
    }
  }
  expect(found.cii.length + found.ubl.length).toBeGreaterThanOrEqual(byLength(20, 500))
  expect(await refusedBySchema(found.cii)).toEqual([])
  expect([...refusedByRules(folder, 'cii', found.cii), ...refusedByRules(folder, 'ubl', found.ubl)]).toEqual([])
}, 1_800_000)

function isCase(name: string): name is keyof typeof cases {
  return Object.hasOwn(cases, name)
}
