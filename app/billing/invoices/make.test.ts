import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { db, transaction } from '#app/platform/database/db.server.ts'
import { renderEmail } from '#app/mail/render.server.tsx'
import { env } from '#app/platform/env.server.ts'
import { openFile } from '#app/platform/storage/storage.server.ts'
import type { MemberRole } from '#app/organizations/organization/organization.ts'
import { startEndpoints } from '#test/app.ts'
import { emailsTo } from '#test/emails.ts'
import { signIn, type SignedIn } from '#test/factories.ts'
import { berlin, makeCompany, makeOrder, saveBilling } from '#test/invoices.ts'
import { jobOf } from '#test/job.ts'
import { lettersIn, streamsOf } from '#test/pdf.ts'
import { epcCode } from './epc-code.ts'
import { issueInvoice } from './invoice.server.ts'
import { listedInvoice } from './invoice.ts'
import { makeInvoice } from './make.server.ts'
import { drawInvoice } from './pdf.server.ts'

const app = await startEndpoints()
beforeAll(async () => saveBilling(berlin))

const get = (who: SignedIn, url: string) => app.inject({ method: 'GET', url, headers: who.headers })

async function issued(given: Parameters<typeof makeCompany>[0] = {}) {
  const buyer = await makeCompany(given)
  const order = await makeOrder(buyer, undefined, { purchaseOrder: 'PO-4711' })
  const invoice = await transaction((trx) => issueInvoice(trx, order.id, 'invoice'))
  return { buyer, order, invoice }
}

async function member(organizationId: string, role: MemberRole): Promise<SignedIn> {
  const person = await signIn()
  await db.insertInto('organizationMembers').values({ organizationId, userId: person.user.id, role }).execute()
  return person
}

const filesOf = (id: string) => db.selectFrom('invoiceFiles').selectAll().where('invoiceId', '=', id).executeTakeFirstOrThrow()

describe('happy', () => {
  test('the buyer of an order that is paid by invoice gets it too; after a checkout they have the email of the payment', async () => {
    const buyer = await makeCompany({ billingEmails: 'bills@acme.example' })
    const { user } = await member(buyer.id, 'buyer')
    const sentTo = async (method: 'invoice' | 'checkout') => {
      const order = await makeOrder(buyer, undefined, { method, userId: user.id })
      const { id } = await transaction((trx) => issueInvoice(trx, order.id, 'invoice'))
      await makeInvoice(id)
      return (await emailsTo(user.email ?? '')).filter(({ kind }) => kind === 'invoice').length
    }
    expect(await sentTo('checkout')).toBe(0)
    expect(await sentTo('invoice')).toBe(1)
  })

  test('an invoice is made once as PDF for archives with its XML inside, sent to the billing addresses, and its number is outside of the database first', async () => {
    const { buyer, order, invoice } = await issued({ billingEmails: 'books@acme.example, cfo@acme.example', language: 'de' })
    const jobs = await db.selectFrom('jobs').select('payload').where('kind', '=', 'invoices.make').execute()
    expect(jobs.map(({ payload }) => payload)).toContainEqual({ id: invoice.id })
    await jobOf('invoices.make').run({ id: invoice.id }, { id: '', attempt: 1, signal: AbortSignal.timeout(60_000) })
    await makeInvoice(invoice.id)

    const sent = [...(await emailsTo('books@acme.example')), ...(await emailsTo('cfo@acme.example'))]
    expect(sent).toMatchObject([
      {
        kind: 'invoice',
        data: {
          title: 'Rechnung',
          number: invoice.number,
          order: order.reference,
          isProposal: false,
          files: [{ type: 'application/pdf' }],
        },
      },
      { kind: 'invoice' },
    ])
    const [, year, serial] = invoice.number.split('-')
    const number = await openFile(`invoice-numbers/inv-/${year}/${Number(serial)}.json`)
    expect(JSON.parse(number ? await text(number.stream) : '')).toMatchObject({ number: invoice.number, gross: invoice.gross })

    const admin = await member(buyer.id, 'admin')
    const pdf = await get(admin, `/api/invoices/${invoice.id}/pdf`)
    expect(pdf.headers['content-type']).toBe('application/pdf')
    // Metadata of PDF/A is never compressed.
    const parts = ['%PDF-1.7', '<pdfaid:part>3', '<pdfaid:conformance>B', '/StructTreeRoot', '/AFRelationship /Alternative', 'factur-x.xml']
    expect(parts.filter((part) => !pdf.rawPayload.includes(part))).toEqual([])
    const xml = await get(admin, `/api/invoices/${invoice.id}/xml`)
    expect(xml.payload).toContain(`<ram:ID>${invoice.number}</ram:ID>`)
    expect(xml.payload).toContain('<ram:ExemptionReasonCode>VATEX-EU-AE</ram:ExemptionReasonCode>')
    const list = z.array(listedInvoice).parse((await get(admin, `/api/organizations/${buyer.id}/invoices`)).json())
    expect(list).toMatchObject([{ number: invoice.number, hasPdf: true, hasXml: true, correctedBy: null }])
  })

  test('an authority that asks for XRechnung gets it as a file beside the PDF, by email and at its orders, and the email says so', async () => {
    const { buyer, invoice } = await issued({
      countryCode: 'DE',
      vatNumber: '',
      invoiceFormat: 'xrechnung',
      buyerReference: '991-12345-06',
      billingEmails: 'kasse@amt.example',
    })
    await makeInvoice(invoice.id)
    const [sent] = await emailsTo('kasse@amt.example')
    expect(sent?.data.files).toMatchObject([{ type: 'application/pdf' }, { type: 'application/xml' }])
    expect((await renderEmail('invoice', JSON.stringify(sent?.data))).text).toContain(
      'The XML file contains the same data for accounting software.',
    )
    const admin = await member(buyer.id, 'admin')
    const { items } = (await app.inject({ url: '/api/orders', headers: { ...admin.headers, organization: buyer.id } })).json()
    const [{ xmlUrl }] = items[0].invoices
    const xml = await get(admin, xmlUrl)
    expect([xml.statusCode, xml.headers['content-type']]).toEqual([200, 'application/xml'])
    expect(xml.payload).toContain('xrechnung_3.0')
    expect(xml.payload).toContain('<cbc:BuyerReference>991-12345-06</cbc:BuyerReference>')
  })
})

const fonts = { regular: readFileSync('app/ui/fonts/inter-400.ttf'), bold: readFileSync('app/ui/fonts/inter-600.ttf') }

test('a corrected invoice that is not paid says until when it is payable', async () => {
  const order = await makeOrder(await makeCompany(), undefined, { method: 'invoice', state: 'open' })
  const { id } = await transaction((trx) => issueInvoice(trx, order.id, 'invoice'))
  const { document } = await db.selectFrom('invoices').select('document').where('id', '=', id).executeTakeFirstOrThrow()
  const corrected = { ...document, kind: 'corrected' as const }
  expect(corrected.dueOn).not.toBeNull()
  expect((await drawInvoice(corrected, fonts)).equals(await drawInvoice({ ...corrected, dueOn: null }, fonts))).toBe(false)
})

test('names in any script are drawn with their letters, which can be copied, and the same bytes come out twice', async () => {
  const names = [
    '北京示例科技有限公司',
    '株式会社サンプル',
    '주식회사',
    'شركة مثال للتجارة',
    'נתונים',
    'उदाहरण',
    'บริษัท',
    'შპს',
    'Łódź Ελλάς',
  ]
  const order = await makeOrder(await makeCompany({ legalName: names.join(' '), address: '上海市 200000' }))
  const { id } = await transaction((trx) => issueInvoice(trx, order.id, 'invoice'))
  const { document } = await db.selectFrom('invoices').select('document').where('id', '=', id).executeTakeFirstOrThrow()
  const pdf = await drawInvoice(document, fonts)
  const letters = lettersIn(pdf)
  expect([...new Set(`${names.join('')}上海市`)].filter((letter) => !letters.includes(letter))).toEqual([])
  expect(letters).not.toContain('?')
  expect((await drawInvoice(document, fonts)).equals(pdf)).toBe(true)
  // A character that no font has is drawn as its code.
  const rare = await drawInvoice({ ...document, buyer: { ...document.buyer, name: '𠮷野家' } }, fonts)
  expect(lettersIn(rare)).toContain('U')
})

describe('code for banking apps', () => {
  /** How many squares a document has, which nothing else in it draws. */
  const squaresOf = (pdf: Buffer) =>
    streamsOf(pdf)
      .join('\n')
      .match(/^[\d.]+ [\d.]+ [\d.]+ [\d.]+ re$/gm)?.length ?? 0

  test('an unpaid invoice in euro has it, with words for screen readers; others have none', async () => {
    const order = await makeOrder(await makeCompany(), undefined, { currency: 'EUR', method: 'invoice', state: 'open' })
    const { id, number } = await transaction((trx) => issueInvoice(trx, order.id, 'invoice'))
    const { document } = await db.selectFrom('invoices').select('document').where('id', '=', id).executeTakeFirstOrThrow()
    const { name, iban, bic } = document.seller
    const modules = epcCode({ name, iban, bic, amount: order.gross, currency: 'EUR', reference: number })
    const pdf = await drawInvoice(document, fonts)
    expect([squaresOf(pdf), pdf.includes('/Alt (Code for banking apps')]).toEqual([modules?.flat().filter(Boolean).length, true])
    const without = [{ isPaid: true }, { currency: 'USD' }, { isTest: true }, { kind: 'credit_note' as const }]
    const drawn = await Promise.all(without.map((given) => drawInvoice({ ...document, ...given }, fonts)))
    expect(drawn.map(squaresOf)).toEqual([0, 0, 0, 0])
  })
})

describe('error', () => {
  test('while nothing can be stored staff are told once, nothing is lost, and the invoice is made later', async () => {
    const { invoice } = await issued({ countryCode: 'US', vatNumber: '' })
    const folder = path.join(env.DATA_DIR, 'files/invoice-numbers')
    rmSync(folder, { recursive: true, force: true })
    writeFileSync(folder, 'in the way')
    await expect(makeInvoice(invoice.id)).rejects.toThrow('could not be made or stored')
    await expect(makeInvoice(invoice.id)).rejects.toThrow('could not be made or stored')
    expect(await filesOf(invoice.id)).toMatchObject({ numberStoredAt: null, madeAt: null, failure: expect.stringContaining('stored') })
    const told = await db
      .selectFrom('jobs')
      .select('payload')
      .where('dedupeKey', '=', `notifications.tell:invoice-failed:${invoice.id}`)
      .execute()
    expect(told).toMatchObject([{ payload: { kind: 'payment_problem' } }])
    const early = await get(await signIn('owner'), `/api/invoices/${invoice.id}/pdf`)
    expect([early.statusCode, early.json().detail]).toEqual([
      503,
      'The document of this invoice is being made. Please try again in a minute.',
    ])

    rmSync(folder)
    await jobOf('invoices.make-waiting').run(null, { id: '', attempt: 1, signal: AbortSignal.timeout(60_000) })
    await makeInvoice(invoice.id)
    expect(await filesOf(invoice.id)).toMatchObject({ failure: '', xmlFormat: '' })
    expect((await get(await signIn('staff'), `/api/invoices/${invoice.id}/pdf`)).statusCode).toBe(200)
    expect((await get(await signIn('staff'), `/api/invoices/${invoice.id}/xml`)).json().detail).toBe(
      'This invoice has no form for programs.',
    )
  })
})

describe('security', () => {
  test('buyers and admins of the organization and staff see an invoice; other members, other organizations and strangers do not', async () => {
    const { buyer, invoice } = await issued()
    const statusFor = async (who: SignedIn) => (await get(who, `/api/invoices/${invoice.id}/pdf`)).statusCode
    const statuses = []
    for (const role of ['admin', 'buyer', 'member', 'reader'] as const) {
      const person = await member(buyer.id, role)
      statuses.push([await statusFor(person), (await get(person, `/api/organizations/${buyer.id}/invoices`)).statusCode])
    }
    expect(statuses).toEqual([
      [503, 200],
      [503, 200],
      [403, 403],
      [403, 403],
    ])
    expect(await statusFor(await signIn())).toBe(404)
    expect(await statusFor(await member((await makeCompany()).id, 'admin'))).toBe(404)
    expect((await app.inject({ method: 'GET', url: `/api/invoices/${invoice.id}/pdf` })).statusCode).toBe(401)
    expect(await statusFor(await signIn('staff'))).toBe(503)
  })

  test('only staff with the right correct an invoice, with a reason, and only the newest of an order', async () => {
    const { buyer, invoice } = await issued()
    const correct = (who: SignedIn, id = invoice.id, reason = 'The name was wrong') =>
      app.inject({ method: 'POST', url: `/api/invoices/${id}/correct`, headers: who.headers, payload: { reason } })
    const owner = await signIn('owner')
    expect((await correct(await member(buyer.id, 'admin'))).statusCode).toBe(403)
    expect((await correct(await signIn('staff'))).statusCode).toBe(403)
    expect((await correct(owner, invoice.id, ' ')).statusCode).toBe(422)
    const corrected = await correct(owner)
    expect(corrected.statusCode).toBe(201)
    expect((await correct(owner)).json()).toMatchObject({ code: 'not_newest' })
    expect((await correct(owner, corrected.json().id)).statusCode).toBe(201)
  })
})
