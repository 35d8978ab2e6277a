import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { exportAccount } from '#app/account/settings/account-export.server.ts'
import { findInvoicesOf } from '#app/billing/invoices/invoice.server.ts'
import { confirmTransfer, requestRefund } from '#app/billing/refunds/refund.server.ts'
import { placeOrder } from '#app/billing/orders/place-order.server.ts'
import { totalsOf } from '#app/billing/orders/totals.ts'
import { db, newId, transaction } from '#app/platform/database/db.server.ts'
import { closeLimits } from '#app/platform/guard/limits.server.ts'
import { decimalText } from '#app/platform/text/money.ts'
import type { Row } from '#db/tables.ts'
import { startEndpoints } from '#test/app.ts'
import { balancesOf, makeOrder } from '#test/billing.ts'
import { signIn, type SignedIn } from '#test/factories.ts'
import { aDataset, berlin, makeCompany, saveBilling } from '#test/invoices.ts'
import { byLength } from '#test/length.ts'
import { noticesAbout } from '#test/organizations.ts'
import { camtOf, type Line } from '#test/statements.ts'
import { deleteOldStatements } from './statement-retention.server.ts'
import { statementReport, transfer } from './transfer.ts'

const app = await startEndpoints()
const [clerk, reader, buyer] = [await signIn('staff', { rights: '["billing.write"]' }), await signIn('staff'), await signIn()]
beforeAll(async () => saveBilling(berlin))
beforeEach(closeLimits)

type Company = Row<'organizations'>
type Order = Row<'orders'>

const ask = (method: 'GET' | 'POST', path: string, payload?: object, { headers }: Pick<SignedIn, 'headers'> = clerk) =>
  app.inject({ method, url: `/api/admin/billing/transfers${path}`, headers, ...(payload && { payload }) })

async function bill(company: Company, gross = 10_000, currency = 'EUR'): Promise<Order> {
  const totals = totalsOf([{ ...aDataset, unitAmount: gross }], () => ({ category: 'O', rate: 0, reason: 'Out of scope' }))
  const order = {
    kind: 'final',
    method: 'invoice',
    organizationId: company.id,
    userId: null,
    title: 'A crawler',
    currency,
    totals,
  } as const
  return transaction((trx) => placeOrder(trx, order))
}

async function load(lines: readonly Line[], query = '') {
  const reply = await ask('POST', `/import${query}`, { name: 'november.xml', text: camtOf(lines) })
  return reply.json()
}

const stateOf = async ({ id }: Order) =>
  (await db.selectFrom('orders').select('state').where('id', '=', id).executeTakeFirstOrThrow()).state

const invoiceOf = async ({ id }: Order) => (await findInvoicesOf(id))[0]?.number

/** The one open line whose purpose has a text. */
async function openLine(text: string) {
  const found = (await ask('GET', `?q=${encodeURIComponent(text)}`)).json().transfers
  expect(found).toHaveLength(1)
  return transfer.parse(found[0])
}

async function press(text: string, key: string) {
  const { id, proposals } = await openLine(text)
  const chosen = proposals.find((proposal) => proposal.key.startsWith(key))
  expect([key, chosen?.text]).toEqual([key, expect.any(String)])
  return ask('POST', `/${id}/decide`, chosen)
}

describe('happy', () => {
  test('a transfer with the reference and the amount pays its order, however the payer and the bank write them, and once in two files', async () => {
    const company = await makeCompany()
    const orders = await Promise.all([bill(company), bill(company), bill(company)])
    const [one, two, three] = orders.map(({ reference }) => reference)
    const lines = [
      { amount: '100.00', text: `Rechnung ${one?.toLowerCase()} vom 3.11.` },
      { amount: '100', text: `INVOICE${two?.replace('-', ' ')}, thank you` },
      { amount: '100.00000', text: `${three?.slice(0, 4)} ${three?.slice(4)}` },
      { amount: '12.00', text: 'Rent', isOut: true },
      { amount: '55.00', text: 'Not booked yet', status: 'PDNG' },
    ]
    const dry = await load(lines, '?dry=true')
    expect(dry.counts).toEqual({ booked: 3, asked: 0, known: 0, other: 1, problems: 0 })
    expect(await Promise.all(orders.map(stateOf))).toEqual(['open', 'open', 'open'])
    expect((await load(lines)).counts).toEqual({ booked: 3, asked: 0, known: 0, other: 1, problems: 0 })
    expect(await Promise.all(orders.map(stateOf))).toEqual(['paid', 'paid', 'paid'])
    const later = [...lines, { amount: '100.00', text: `Again ${one}` }]
    expect((await load(later)).counts).toEqual({ booked: 0, asked: 1, known: 3, other: 1, problems: 0 })
    expect(await balancesOf(orders[0]?.id ?? '')).toEqual({ cash: 10_000, revenue: -10_000 })
    // The rent of the business is nobody's business here.
    expect((await db.selectFrom('bankLines').selectAll().execute()).map(({ purpose }) => purpose)).not.toContain('Rent')
  })

  test('an outgoing line with the reference and the amount confirms the refund that waits; without one of them it is asked; what was confirmed by hand stays silent', async () => {
    const company = await makeCompany()
    const [sure, vague, other, byHand] = [await bill(company), await bill(company), await bill(company), await bill(company)]
    await load([sure, vague, other, byHand].map(({ reference }) => ({ amount: '100.00', text: `PAYS ${reference}` })))
    const refund = async ({ id: orderId }: Order, amount: number) => {
      const { paymentId } = await db
        .selectFrom('paymentAllocations')
        .select('paymentId')
        .where('orderId', '=', orderId)
        .executeTakeFirstOrThrow()
      return requestRefund({ paymentId, orderId, amount, reason: 'Agreed' }, clerk.user, false)
    }
    const stateOfRefund = async ({ id }: { id: string }) =>
      (await db.selectFrom('refunds').select('state').where('id', '=', id).executeTakeFirstOrThrow()).state
    const refunds = [await refund(sure, 4000), await refund(vague, 2500), await refund(other, 1000)]
    await confirmTransfer((await refund(byHand, 3000)).id, clerk.user)
    const lines = [
      { amount: '40.00', text: `Refund ${sure.reference}`, isOut: true },
      { amount: '25.00', text: 'VAGUE refund', isOut: true },
      { amount: '11.00', text: `WRONG ${other.reference}`, isOut: true },
      { amount: '30.00', text: `Refund ${byHand.reference}`, isOut: true },
      { amount: '77.00', text: 'Rent of December', isOut: true },
    ]
    expect((await load(lines, '?dry=true')).counts).toMatchObject({ booked: 1, asked: 2, other: 2 })
    expect(await stateOfRefund(refunds[0] ?? { id: '' })).toBe('pending')
    expect((await load(lines)).counts).toMatchObject({ booked: 1, asked: 2, other: 2 })
    expect((await load(lines)).counts).toMatchObject({ booked: 0, asked: 0, known: 3 })
    expect((await findInvoicesOf(sure.id)).map(({ kind, gross }) => [kind, gross])).toEqual([
      ['invoice', 10_000],
      ['credit_note', 4000],
    ])
    expect(await balancesOf(sure.id)).toEqual({ cash: 6000, revenue: -6000 })
    expect(await openLine('WRONG')).toMatchObject({ reason: expect.stringContaining('another amount was sent'), proposals: [] })
    expect((await press('VAGUE', 'refund-')).statusCode).toBe(204)
    expect(await Promise.all(refunds.map(stateOfRefund))).toEqual(['succeeded', 'succeeded', 'pending'])
    // A payment that was refunded in part can still be taken back by its bank.
    await load([{ amount: '100.00', text: `BACK ${sure.reference}`, isOut: true, isReturn: true }])
    expect((await openLine('BACK')).proposals.map(({ key }) => key.slice(0, 7))).toEqual(['return-'])
  })

  test('who paid is in the personal export of those who see the amounts, and is deleted with time', async () => {
    const company = await makeCompany()
    const admin = await signIn()
    await db.insertInto('organizationMembers').values({ organizationId: company.id, userId: admin.user.id, role: 'admin' }).execute()
    const order = await bill(company)
    await load([
      { amount: '100.00', text: `TOLD ${order.reference}` },
      { amount: '3.00', text: 'NOBODY' },
    ])
    expect((await ask('POST', `/${(await openLine('NOBODY')).id}/ignore`, {})).statusCode).toBeLessThan(300)
    const exported = async ({ user }: SignedIn) => (await Array.fromAsync(exportAccount(user.id))).join('')
    expect(await exported(admin)).toContain(`TOLD ${order.reference}`)
    expect(await exported(buyer)).not.toContain('TOLD')
    const left = async () =>
      (
        await db
          .selectFrom('bankLines')
          .select('purpose')
          .where('purpose', 'in', [`TOLD ${order.reference}`, 'NOBODY'])
          .execute()
      ).length
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000)
    await deleteOldStatements(inDays(300))
    expect(await left()).toBe(2)
    await deleteOldStatements(inDays(500))
    expect(await left()).toBe(1)
    await deleteOldStatements(inDays(366 * 12))
    expect(await left()).toBe(0)
  })

  test('one transfer pays several orders; charges that the bank names are its fee', async () => {
    const company = await makeCompany()
    const [one, two, three] = [await bill(company), await bill(company, 2500), await bill(company, 5000)]
    const report = await load([
      { amount: '125.00', text: `${one.reference} and ${two.reference}` },
      { amount: '42.00', fee: '8.00', text: three.reference },
    ])
    expect(report.counts.booked).toBe(2)
    expect(await Promise.all([one, two, three].map(stateOf))).toEqual(['paid', 'paid', 'paid'])
    expect(await balancesOf(three.id)).toEqual({ cash: 4200, fees: 800, revenue: -5000 })
  })

  test('a short one is asked: a part, or paid in full less what banks kept; a small difference is taken by rule', async () => {
    const company = await makeCompany()
    const [part, full, rule] = [await bill(company), await bill(company), await bill(company)]
    await load([
      { amount: '60.00', text: `PART ${part.reference}` },
      { amount: '85.00', text: `FULL ${full.reference}` },
    ])
    expect((await openLine('PART')).reason).toBe(`€40.00 less than is owed for ${await invoiceOf(part)}.`)
    expect((await press('PART', 'part')).statusCode).toBe(204)
    expect((await press('FULL', 'charges')).statusCode).toBe(204)
    expect([await stateOf(part), await stateOf(full)]).toEqual(['open', 'paid'])
    expect(await balancesOf(part.id)).toMatchObject({ receivable: 4000 })
    expect(await balancesOf(full.id)).toEqual({ cash: 8500, fees: 1500, revenue: -10_000 })
    await saveBilling({ ...berlin, shortMost: '5', overMost: '5' })
    await load([{ amount: '97.50', text: `RULE ${rule.reference}` }])
    expect(await stateOf(rule)).toBe('paid')
    await saveBilling({ ...berlin, shortMost: undefined, overMost: undefined })
  })

  test('too much and twice become a credit of the company, or pay what else it owes', async () => {
    const company = await makeCompany({ name: 'Orbit Foods' })
    const [one, other] = [await bill(company), await bill(company, 3000)]
    await load([{ amount: '130.00', text: `OVER ${one.reference}` }])
    expect((await openLine('OVER')).proposals.map(({ key }) => key)).toEqual(['over', 'together'])
    await press('OVER', 'together')
    expect([await stateOf(one), await stateOf(other)]).toEqual(['paid', 'paid'])
    await load([{ amount: '100.00', text: `TWICE ${one.reference}` }])
    expect((await openLine('TWICE')).proposals).toEqual([{ key: 'credit', text: 'Keep it as a credit of Orbit Foods' }])
    await press('TWICE', 'credit')
    const { payments } = (await app.inject({ url: '/api/admin/billing/payments?q=orbit&rest=left', headers: clerk.headers })).json()
    expect(payments).toMatchObject([{ amount: 10_000, left: 10_000, organization: { name: 'Orbit Foods' } }])
  })

  test('without a reference nothing is booked: the account, the name and the amount only propose', async () => {
    const company = await makeCompany({ name: 'Nordlicht GmbH' })
    const [known, one, two] = [await bill(company), await bill(company, 7000), await bill(company, 1234)]
    const iban = 'DE02120300000000202051'
    await load([{ amount: '100.00', text: known.reference, iban, payer: 'M. Nord' }])
    await load([{ amount: '82.34', text: 'THANKS for both', iban, payer: 'M. Nord' }])
    const { reason, proposals } = await openLine('THANKS')
    expect(reason).toBe('It came from Nordlicht GmbH, without a reference.')
    expect(proposals[0]).toEqual({
      key: 'together',
      text: `Pay ${await invoiceOf(one)}, ${await invoiceOf(two)} of Nordlicht GmbH together`,
    })
    await press('THANKS', 'together')
    expect([await stateOf(one), await stateOf(two)]).toEqual(['paid', 'paid'])
  })

  test('a foreign currency is asked and pays the amount that was ordered; a returned payment is owed again and can be paid again', async () => {
    const company = await makeCompany()
    const [dollars, back] = [await bill(company, 10_000, 'USD'), await bill(company)]
    await load([{ amount: '91.20', text: `DOLLARS ${dollars.reference}`, instructed: { amount: '100.00', currency: 'USD' } }])
    await press('DOLLARS', 'foreign')
    expect(await balancesOf(dollars.id)).toEqual({ cash: 10_000, revenue: -10_000 })
    await load([{ amount: '100.00', text: back.reference }])
    await load([{ amount: '100.00', text: `RETURNED ${back.reference}`, isOut: true, isReturn: true, day: '2026-11-22' }])
    await press('RETURNED', 'return')
    expect(await balancesOf(back.id)).toEqual({ receivable: 10_000, revenue: -10_000 })
    await load([{ amount: '100.00', text: `${back.reference} again`, day: '2026-11-25' }])
    expect(await balancesOf(back.id)).toEqual({ cash: 10_000, revenue: -10_000 })
  })

  test('a payment in another currency that its bank takes back leaves no money and no charge behind', async () => {
    const order = await bill(await makeCompany(), 10_000, 'USD')
    await load([{ amount: '91.20', text: `ABROAD ${order.reference}`, instructed: { amount: '100.00', currency: 'USD' } }])
    await press('ABROAD', 'foreign')
    await load([{ amount: '91.20', text: `ABROAD-BACK ${order.reference}`, isOut: true, isReturn: true }])
    const { paymentId } = await db
      .selectFrom('paymentAllocations')
      .select('paymentId')
      .where('orderId', '=', order.id)
      .executeTakeFirstOrThrow()
    await press('ABROAD-BACK', 'return')
    const left = await db
      .selectFrom('ledgerEntries')
      .select(['account', (of) => of.fn.sum<string>('amount').as('sum')])
      .where('paymentId', '=', paymentId)
      .where('account', 'in', ['cash', 'fees'])
      .groupBy('account')
      .execute()
    expect(left.filter(({ sum }) => Number(sum) !== 0)).toEqual([])
  })

  test('a transfer for an order that can no longer be fulfilled is told to staff, who allocate or refund it', async () => {
    const order = await makeOrder({ userId: buyer.user.id, amount: 12_300, currency: 'EUR' })
    await db.updateTable('dataProducts').set({ removedAt: new Date() }).where('id', '=', order.productId).execute()
    await load([{ amount: '123.00', text: `GONE ${order.reference}` }])
    const { paymentId } = await db.selectFrom('bankLines').select('paymentId').where('purpose', 'like', 'GONE%').executeTakeFirstOrThrow()
    expect(await stateOf(order)).toBe('failed')
    expect(await noticesAbout(paymentId ?? '')).toMatchObject([{ title: `€123.00 arrived that no order takes (${order.reference})` }])
  })

  test('charges of a collected entry are of none of its payments: one that is short by them is asked', async () => {
    const company = await makeCompany()
    const [whole, short] = [await bill(company), await bill(company)]
    const payments = [
      ['100.00', whole.reference],
      ['98.50', short.reference],
    ].map(([amount, text]) => `<TxDtls><Amt Ccy="EUR">${amount}</Amt><RmtInf><Ustrd>${text}</Ustrd></RmtInf></TxDtls>`)
    const details = `<Chrgs><Amt Ccy="EUR">1.50</Amt></Chrgs><NtryDtls>${payments.join('')}</NtryDtls>`
    const text = camtOf([{ amount: '198.50', text: '' }]).replace(/<NtryDtls>.*<\/NtryDtls>/, details)
    expect((await ask('POST', '/import', { name: 'collected.xml', text })).json().counts).toMatchObject({ booked: 1, asked: 1 })
    expect([await stateOf(whole), await stateOf(short)]).toEqual(['paid', 'open'])
  })

  test('a purpose that the bank writes as CDATA is read', async () => {
    const order = await bill(await makeCompany())
    const text = camtOf([{ amount: '100.00', text: 'HERE' }]).replace('HERE', `<![CDATA[Müller & Söhne ${order.reference}]]>`)
    expect((await ask('POST', '/import', { name: 'cdata.xml', text })).json().counts).toMatchObject({ booked: 1, asked: 0 })
  })

  test('what is no payment of a customer is ignored, and decided after all', async () => {
    await load([{ amount: '3.21', text: 'INTEREST of the bank' }])
    const { id } = await openLine('INTEREST')
    expect((await ask('POST', `/${id}/ignore`)).statusCode).toBe(204)
    expect((await ask('GET', '?q=INTEREST')).json().transfers).toEqual([])
    expect((await ask('GET', '?q=INTEREST&state=ignored')).json().transfers).toMatchObject([{ id, state: 'ignored' }])
    expect((await ask('POST', `/${id}/reopen`)).statusCode).toBe(204)
    const order = await bill(await makeCompany(), 321)
    expect((await ask('POST', `/${id}/pay`, { order: order.reference })).statusCode).toBe(204)
    expect(await stateOf(order)).toBe('paid')
  })

  test('the CSV file of a German bank is read with its own head, and asks what its dates leave open', async () => {
    const order = await bill(await makeCompany(), 123_456)
    const text = [
      '"Kontonummer:";"DE89370400440532013000"',
      '',
      '"Buchungstag";"Valuta";"Beguenstigter/Zahlungspflichtiger";"Verwendungszweck";"Kontonummer/IBAN";"Betrag";"Waehrung"',
      `"20.11.2026";"20.11.2026";"Müller & Söhne";"Rg. ${order.reference}";"DE02120300000000202051";"1.234,56";"EUR"`,
      '"20.11.2026";"20.11.2026";"Vermieter";"Miete";"DE02100100100006820101";"-900,00";"EUR"',
    ].join('\r\n')
    const report = (await ask('POST', '/import', { name: 'umsatz.csv', text })).json()
    expect([report.format, report.counts]).toEqual(['csv', { booked: 1, asked: 0, known: 0, other: 1, problems: 0 }])
    expect(await stateOf(order)).toBe('paid')
    const open = 'Date,Amount,Description\n03/04/2026,12.50,Something\n'
    const dry = (await ask('POST', '/import?dry=true', { name: 'bank.csv', text: open })).json()
    expect(dry.questions).toMatchObject([{ parameter: 'dateOrder', text: '03/04/2026', chosen: null }])
    expect((await ask('POST', '/import', { name: 'bank.csv', text: open })).json().code).toBe('ambiguous')
    const answered = (await ask('POST', '/import', { name: 'bank.csv', text: open, dateOrder: 'dmy' })).json()
    expect(answered.counts.asked).toBe(1)
  })
})

/** The day, the amount and the currency of each line that a statement in CSV would ask or book, and what else was counted. */
async function readCsv(rows: readonly string[]) {
  const reply = await ask('POST', '/import?dry=true', { name: 'bank.csv', text: rows.join('\n') })
  const { lines, counts, missing } = statementReport.parse(reply.json())
  const texts = lines.map(({ bookedOn, amount, currency }) => `${bookedOn} ${decimalText(amount, currency)} ${currency}`)
  return { lines: texts, other: counts.other, problems: counts.problems, missing }
}

const IN_20 = '2026-11-20 119.00 EUR'

test.each([
  [
    'a title without separators above the table',
    [
      'Umsätze Girokonto',
      'Zeitraum: 01.11.2026 - 30.11.2026',
      '',
      'Buchungstag;Verwendungszweck;Betrag;Währung',
      '20.11.2026;Acme;119,00;EUR',
    ],
    { lines: [IN_20], other: 0, problems: 0, missing: null },
  ],
  [
    'a title with a comma above the table',
    ['Umsätze, Girokonto', '', 'Buchungstag;Verwendungszweck;Betrag;Währung', '20.11.2026;Acme;119,00;EUR', '19.11.2026;Acme;-9,00;EUR'],
    { lines: [IN_20], other: 1, problems: 0, missing: null },
  ],
  [
    'a word for the direction in French, and one that is unknown',
    [
      'Date;Libellé;Montant;Sens;Devise',
      '20/11/2026;ACME;119,00;Crédit;EUR',
      '19/11/2026;LOYER;900,00;Débit;EUR',
      '19/11/2026;X;5,00;Neutre;EUR',
    ],
    { lines: [IN_20], other: 1, problems: 1, missing: null },
  ],
  [
    'the direction in a column without a head',
    [
      '"Buchungstag";"Verwendungszweck";"Währung";"Umsatz";" "',
      '"20.11.2026";"Acme";"EUR";"119,00";"H"',
      '"19.11.2026";"Miete";"EUR";"900,00";"S"',
    ],
    { lines: [IN_20], other: 1, problems: 0, missing: null },
  ],
  [
    'the day of value as Valuta, and the currency in the head of the amount',
    ['Buchung;Valuta;Verwendungszweck;Betrag in EUR', '20.11.2026;21.11.2026;Acme;119,00', '19.11.2026;19.11.2026;Miete;-900,00'],
    { lines: [IN_20], other: 1, problems: 0, missing: null },
  ],
  [
    'the currency beside the amount, and zero in the other direction',
    ['Date,Description,Money In,Money Out', '2026-11-20,Acme,€119.00,€0.00', '2026-11-19,Rent,€0.00,€900.00'],
    { lines: [IN_20], other: 1, problems: 0, missing: null },
  ],
  [
    'payments that are announced or were called off',
    [
      'Buchungstag;Verwendungszweck;Betrag;Währung;Info',
      '20.11.2026;Acme;119,00;EUR;Umsatz gebucht',
      '21.11.2026;Acme;119,00;EUR;Umsatz vorgemerkt',
      '21.11.2026;Acme;7,00;EUR;CANCELLED',
    ],
    { lines: [IN_20], other: 0, problems: 0, missing: null },
  ],
])('the CSV file of a bank is read with %s', async (_what, rows, expected) => {
  expect(await readCsv(rows)).toEqual(expected)
})

/** The bar is 200; a shorter run has each kind five times. */
const COUNT = byLength(50, 200)

test('200 transfers of every kind are all allocated or asked, and the ledger has exactly what arrived', async () => {
  await db.deleteFrom('bankLines').execute()
  const companies = await Promise.all(
    Array.from({ length: 10 }, (_, at) => makeCompany({ name: `Company ${String.fromCodePoint(65 + at)} Works` })),
  )
  const kinds = ['exact', 'exact', 'several', 'short', 'over', 'double', 'unnamed', 'fee', 'foreign', 'unknown'] as const
  const lines: (Line & { kind: string })[] = []
  for (let at = 0; at < COUNT; at += 1) {
    const company = companies[at % companies.length] ?? (await makeCompany())
    const kind = kinds[at % kinds.length] ?? 'exact'
    const gross = 5000 + at * 37
    const order = await bill(company, gross)
    const other = kind === 'several' ? await bill(company, 1000) : undefined
    const text = kind === 'unnamed' || kind === 'unknown' ? `Payment ${at}` : `${order.reference} ${other?.reference ?? ''}`
    const amounts: Record<string, number> = {
      several: gross + 1000,
      short: gross - 700,
      over: gross + 900,
      fee: gross - 300,
      foreign: 4000,
      unknown: 77,
    }
    const line = { kind, amount: decimalText(amounts[kind] ?? gross, 'EUR'), text, payer: company.name, reference: `N${at}` }
    lines.push({
      ...line,
      ...(kind === 'fee' && { fee: '3.00' }),
      ...(kind === 'foreign' && { instructed: { amount: '44.00', currency: 'USD' } }),
    })
    if (kind === 'double') lines.push({ ...line, reference: `D${at}` })
  }
  const report = await load(lines)
  const rows = await db.selectFrom('bankLines').selectAll().execute()
  expect(rows).toHaveLength(lines.length)
  expect(report.counts.booked + report.counts.asked).toBe(lines.length)
  // All of these are clear.
  const clear = lines.filter(({ kind }) => ['exact', 'several', 'fee'].includes(kind)).length + COUNT / kinds.length
  expect(rows.filter(({ state }) => state === 'booked')).toHaveLength(clear)
  // Each of the others has an answer of one press, or is no payment of a customer.
  let cursor = ''
  const open: { proposals: unknown[]; purpose: string }[] = []
  do {
    const page = (await ask('GET', `?limit=200${cursor}`)).json()
    open.push(...page.transfers)
    cursor = page.nextCursor ? `&cursor=${page.nextCursor}` : ''
  } while (cursor)
  const noDay = `?cursor=2026-02-30_${crypto.randomUUID()}`
  expect((await ask('GET', noDay)).statusCode).toBe(400)
  expect(open).toHaveLength(lines.length - clear)
  expect(open.filter(({ proposals, purpose }) => proposals.length === 0 && !purpose.startsWith('Payment'))).toEqual([])
  const booked = rows.filter(({ state }) => state === 'booked')
  const cash = await db
    .selectFrom('ledgerEntries')
    .select((of) => of.fn.sum<string>('amount').as('sum'))
    .where('account', '=', 'cash')
    .where(
      'paymentId',
      'in',
      booked.flatMap(({ paymentId }) => paymentId ?? []),
    )
    .executeTakeFirstOrThrow()
  expect(Number(cash.sum)).toBe(booked.reduce((sum, { amount }) => sum + amount, 0))
})

describe('error', () => {
  test('two people who decide at once book a payment once, and a proposal that changed is refused', async () => {
    const company = await makeCompany()
    const order = await bill(company)
    await load([{ amount: '90.00', text: `RACE ${order.reference}` }])
    const { id, proposals } = await openLine('RACE')
    const both = await Promise.all([ask('POST', `/${id}/decide`, proposals[0]), ask('POST', `/${id}/decide`, proposals[0])])
    expect(both.filter(({ statusCode }) => statusCode === 204)).toHaveLength(1)
    await load([{ amount: '5.00', text: `LATER ${order.reference}` }])
    const later = await openLine('LATER')
    await load([{ amount: '10.00', text: order.reference }])
    expect((await ask('POST', `/${later.id}/decide`, later.proposals[0])).json().code).toBe('proposal_changed')
  })

  test.each([
    ['no XML of a bank', '<html><body>Sign in</body></html>', 'This file is not a CAMT.053 bank statement.'],
    [
      'another message',
      '<Document><BkToCstmrAcctRpt/></Document>',
      'This file is an intraday report (CAMT.052). Export the account statement as CAMT.053.',
    ],
    ['a broken file', camtOf([{ amount: '1.00', text: 'x' }]).slice(0, 400), expect.stringContaining('The file is not well-formed XML')],
    ['a workbook', 'PK\0\0', 'This is not a CSV file. Export the statement as CAMT.053 or CSV.'],
  ])('%s is refused with a sentence', async (_what, text, detail) => {
    const reply = await ask('POST', '/import', { name: 'file', text })
    expect([reply.statusCode, reply.json().detail]).toEqual([422, detail])
  })

  test('a line that cannot be read is told, and the others are imported', async () => {
    const order = await bill(await makeCompany())
    const report = await load([
      { amount: '1e3', text: 'A strange amount' },
      { amount: '0.005', text: 'Half a cent' },
      { amount: '100.00', text: order.reference },
    ])
    expect([report.counts.problems, report.counts.booked]).toEqual([2, 1])
  })
})

test('entities and documents from elsewhere are not expanded', async () => {
  const bomb = `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b SYSTEM "file:///etc/passwd">]>${camtOf([{ amount: '1.00', text: 'x' }]).replace('<?xml version="1.0" encoding="UTF-8"?>', '')}`
  expect((await ask('POST', '/import', { name: 'x', text: bomb.replace('>x<', '>&a;&b;<') })).statusCode).toBe(422)
})

describe('security', () => {
  test('customers see nothing of it; all staff read, and only those with the right import and decide', async () => {
    const writes = [
      ['/import', { name: 'x', text: camtOf([]) }],
      ...['decide', 'pay', 'ignore', 'reopen'].map((path) => [`/${newId()}/${path}`, { key: 'x', text: 'x', order: 'x' }] as const),
    ] as const
    expect((await ask('GET', '', undefined, buyer)).statusCode).toBe(403)
    expect((await ask('GET', '', undefined, reader)).statusCode).toBe(200)
    for (const [path, body] of writes) {
      for (const person of [buyer, reader]) expect([path, (await ask('POST', path, body, person)).statusCode]).toEqual([path, 403])
      expect((await ask('POST', path, body)).statusCode).not.toBe(403)
    }
  })
})
