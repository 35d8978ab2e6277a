import { type Actor, audit, by } from '#app/auth/users/audit.server.ts'
import { billing } from '#app/content/billing.server.ts'
import { identity } from '#app/content/identity.ts'
import { recipientsOf } from '#app/billing/orders/recipients.server.ts'
import { periodOf } from '#app/billing/orders/order-state.server.ts'
import { businessDay, daysLater } from '#app/platform/time/business-day.ts'
import { isInEu } from '#app/billing/tax/tax.ts'
import { exchangeOn, homeCurrency, toHome } from '#app/billing/tax/tax.server.ts'
import { db, type Database, insert, newId, type Trx } from '#app/platform/database/db.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { enqueue } from '#app/platform/jobs.server.ts'
import type { Row } from '#db/tables.ts'
import { creditOf, leftOf, negative } from './credit.ts'
import type { InvoiceDocument, InvoiceKind, Prepaid } from './document.ts'
import { correctableOf, type ListedInvoice } from './invoice.ts'
import { nextNumber, type Numbered } from './number.server.ts'

/** The job that makes the files of an invoice and sends it, after its number is in the file storage. */
export const MAKE_INVOICE = 'invoices.make'

export type Issued = Pick<
  Row<'invoices'>,
  'id' | 'number' | 'kind' | 'net' | 'tax' | 'gross' | 'currency' | 'issuedOn' | 'dueOn' | 'isTest'
>

const issuedColumns = ['id', 'number', 'kind', 'net', 'tax', 'gross', 'currency', 'issuedOn', 'dueOn', 'isTest'] as const

/**
 * Issues the invoice of an order, or returns the one it has: a supply has one document. It only takes a number and writes the row; a job
 * makes the files. Take it last in a transaction, because its number keeps others waiting.
 */
export async function issueInvoice(trx: Trx, orderId: string, kind: 'invoice' | 'prepayment', at = new Date()): Promise<Issued> {
  const order = await lockOrder(trx, orderId)
  const before = await trx
    .selectFrom('invoices')
    .select(issuedColumns)
    .where('orderId', '=', orderId)
    .where('kind', 'in', ['invoice', 'prepayment'])
    .executeTakeFirst()
  if (before) return before
  const parties = await partiesOf(trx, order)
  const prepaid = order.kind === 'final' && order.proposalId ? await listPrepayments(trx, order.proposalId) : []
  const isPaid = order.method === 'checkout' || order.state === 'paid'
  return write(trx, order, at, (numbered) => ({
    ...numbered,
    kind,
    ...parties,
    ...amountsOf(order),
    dueOn: isPaid ? null : dueOn(order, numbered.issuedOn, parties.paymentDays),
    isPaid,
    prepaid,
    corrects: null,
    reason: '',
  }))
}

/**
 * Issues a credit note for a part of the gross of an order, in the smallest unit of its currency. Its net and tax are those of the invoice in
 * proportion; the last one credits exactly what is left. Stops for more than that.
 */
export async function issueCreditNote(
  trx: Trx,
  { orderId, amount, reason }: { orderId: string; amount: number; reason: string },
  at = new Date(),
): Promise<Issued> {
  const order = await lockOrder(trx, orderId)
  const invoices = await listDocuments(trx, orderId)
  const invoice = invoices.findLast(({ kind }) => kind !== 'credit_note')
  if (!invoice) stop('conflict', 'This order has no invoice yet, so nothing can be credited.', { code: 'no_invoice' })
  const credited = invoices.filter(({ kind }) => kind === 'credit_note')
  const credit = creditOf(
    invoice.document,
    credited.map(({ document }) => document),
    amount,
  )
  if (!credit)
    stop('unprocessable', 'The amount of a credit note is above zero, and at most the part that has not been credited yet.', {
      code: 'bad_credit',
    })
  const { seller, buyer, language, format, purchaseOrder } = invoice.document
  const corrects = { number: invoice.number, issuedOn: invoice.issuedOn }
  const told = { seller, buyer, language, format, purchaseOrder, ...credit, reason, corrects, prepaid: [], dueOn: null, isPaid: false }
  return write(trx, order, at, (numbered) => ({ ...numbered, kind: 'credit_note', ...told }), invoice)
}

/**
 * Takes back so much of the credit notes of an order, because refunds did not arrive: the note of that amount, or else the newest first. Each document is
 * a credit note with negative amounts, and names the one that it takes back.
 */
export async function reverseCreditNotes(trx: Trx, orderId: string, amount: number, at = new Date()): Promise<Issued[]> {
  const order = await lockOrder(trx, orderId)
  const documents = (await listDocuments(trx, orderId)).filter(({ kind }) => kind === 'credit_note')
  const notes = documents
    .filter(({ document }) => document.gross > 0)
    .map((note) => {
      const reversals = documents.filter(({ correctsId }) => correctsId === note.id).map(({ document }) => negative(document))
      return { note, reversals, left: reversals.reduce((rest, { gross }) => rest - gross, note.document.gross) }
    })
    .toReversed()
  const exact = notes.find(({ left }) => left === amount)
  const issued: Issued[] = []
  let missing = amount
  for (const { note, reversals, left } of exact ? [exact] : notes) {
    const taken = creditOf(note.document, reversals, Math.min(left, missing))
    if (!taken) continue
    missing -= taken.gross
    const { seller, buyer, language, format, purchaseOrder, number, issuedOn } = note.document
    const lines = taken.lines.map((line) => ({ ...line, title: `Reversal of credit note ${number}` }))
    const told = { seller, buyer, language, format, purchaseOrder, ...negative({ ...taken, lines }), corrects: { number, issuedOn } }
    const reason = 'This refund did not arrive.'
    const rest = { kind: 'credit_note' as const, reason, prepaid: [], dueOn: null, isPaid: false }
    issued.push(await write(trx, order, at, (numbered) => ({ ...numbered, ...told, ...rest }), note))
  }
  if (missing > 0) throw new Error('More is taken back than was credited.')
  return issued
}

/** Issues an invoice again with what its organization is called now, for the same amounts. It takes the place of the one before. */
export async function correctInvoice(trx: Trx, id: string, reason: string, actor: Actor, at = new Date()): Promise<Issued> {
  const asked = await trx.selectFrom('invoices').select(['orderId', 'number']).where('id', '=', id).executeTakeFirst()
  if (!asked) stop('notFound', 'There is no such invoice.')
  const order = await lockOrder(trx, asked.orderId)
  const invoices = await listDocuments(trx, order.id)
  const invoice = invoices.findLast(({ kind }) => kind !== 'credit_note')
  if (!invoice || invoice.id !== id)
    stop('conflict', `${asked.number} was corrected already, or is a credit note. Correct the newest invoice of its order.`, {
      code: 'not_newest',
    })
  if (!correctableOf(invoices))
    stop('conflict', 'This invoice has a credit note, so it cannot be corrected any more.', { code: 'credited' })
  const { lines, taxParts, net, tax, gross, prepaid } = invoice.document
  // It may have been paid since.
  const isPaid = invoice.document.isPaid || order.state === 'paid'
  const due = isPaid ? null : invoice.document.dueOn
  const { paymentDays: _days, ...parties } = await partiesOf(trx, order)
  const corrects = { number: invoice.number, issuedOn: invoice.issuedOn }
  const told = { ...parties, lines, taxParts, net, tax, gross, dueOn: due, isPaid, prepaid, corrects, reason }
  const corrected = await write(trx, order, at, (numbered) => ({ ...numbered, kind: 'corrected', ...told }), invoice)
  await audit(trx, 'invoice_corrected', {
    ...by(actor),
    subjectId: order.organizationId,
    detail: { from: asked.number, to: corrected.number },
  })
  return corrected
}

/** The documents of an order, oldest first. */
export async function findInvoicesOf(orderId: string): Promise<Issued[]> {
  return db.selectFrom('invoices').select(issuedColumns).where('orderId', '=', orderId).orderBy('createdAt').orderBy('id').execute()
}

/**
 * The newest documents first. A corrected one names what took its place. Those of an organization are of its orders: when companies merge, the orders
 * move, and an invoice keeps whom it was issued to.
 */
export async function listInvoices(of: { organizationId: string } | { orderIds: readonly string[] }): Promise<ListedInvoice[]> {
  const [column, ids] = 'orderIds' in of ? (['orders.id', of.orderIds] as const) : (['orders.organizationId', [of.organizationId]] as const)
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('invoices')
    .innerJoin('orders', 'orders.id', 'invoices.orderId')
    .innerJoin('invoiceFiles', 'invoiceFiles.invoiceId', 'invoices.id')
    .leftJoin('invoices as next', (on) => on.onRef('next.correctsId', '=', 'invoices.id').on('next.kind', '=', 'corrected'))
    .select([
      'invoices.id',
      'invoices.number',
      'invoices.kind',
      'invoices.orderId',
      'invoices.issuedOn',
      'invoices.dueOn',
      'invoices.currency',
    ])
    .select(['invoices.net', 'invoices.tax', 'invoices.gross', 'invoices.isTest', 'next.number as correctedBy', 'madeAt', 'xmlFormat'])
    .where(column, 'in', ids)
    .orderBy('invoices.createdAt', 'desc')
    .orderBy('invoices.serial', 'desc')
    .execute()
  return rows.map(({ madeAt, xmlFormat, ...row }) => ({ ...row, hasPdf: madeAt !== null, hasXml: madeAt !== null && xmlFormat !== '' }))
}

/**
 * The prepayment invoices of a proposal, as its final invoice names them: the corrected one where there is one, less what was credited, and without
 * those that were credited whole.
 */
export async function listPrepayments(connection: Trx | Database, proposalId: string): Promise<Prepaid[]> {
  const rows = await connection
    .selectFrom('invoices')
    .innerJoin('orders', 'orders.id', 'invoices.orderId')
    .select(['invoices.orderId', 'invoices.kind', 'invoices.document'])
    .where('orders.proposalId', '=', proposalId)
    .where('orders.kind', '=', 'deposit')
    .where('orders.state', '=', 'paid')
    .orderBy('invoices.createdAt')
    .orderBy('invoices.serial')
    .execute()
  return rows.flatMap(({ kind, orderId, document }, at) => {
    const isReplaced = rows.slice(at + 1).some((later) => later.kind === 'corrected' && later.orderId === orderId)
    if (kind === 'credit_note' || isReplaced) return []
    const credits = rows.filter((row) => row.kind === 'credit_note' && row.orderId === orderId).map((row) => row.document)
    const taxParts = leftOf(document, credits).filter(({ net, tax }) => net !== 0 || tax !== 0)
    const net = taxParts.reduce((sum, part) => sum + part.net, 0)
    const tax = taxParts.reduce((sum, part) => sum + part.tax, 0)
    const { number, issuedOn } = document
    return taxParts.length > 0 ? { number, issuedOn, net, tax, gross: net + tax, taxParts } : []
  })
}

async function lockOrder(trx: Trx, id: string): Promise<Row<'orders'>> {
  const order = await trx.selectFrom('orders').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  return order ?? stop('notFound', 'There is no such order.')
}

async function listDocuments(trx: Trx, orderId: string) {
  return trx
    .selectFrom('invoices')
    .select(['id', 'number', 'kind', 'issuedOn', 'document', 'correctsId'])
    .where('orderId', '=', orderId)
    .orderBy('createdAt')
    .orderBy('serial')
    .execute()
}

/** Both parties as they are called now. */
async function partiesOf(trx: Trx, order: Row<'orders'>) {
  const organization = await trx.selectFrom('organizations').selectAll().where('id', '=', order.organizationId).executeTakeFirstOrThrow()
  const [email = ''] = await recipientsOf(trx, order, 'instead')
  const { reference, legalName, name, address, countryCode, vatNumber, buyerReference, electronicAddress, kind, invoiceFormat } =
    organization
  const isBusiness = kind === 'business' || order.isBusiness
  return {
    seller: sellerNow(),
    buyer: {
      reference: reference ?? '',
      name: legalName || name || email,
      address,
      // The address that the tax was computed for decides where it is owed.
      countryCode: order.providerTax?.countryCode || countryCode,
      isBusiness,
      vatNumber: isBusiness ? order.providerTax?.taxId || vatNumber : '',
      email,
      buyerReference,
      electronicAddress,
    },
    language: organization.language || 'en',
    format: invoiceFormat || (isBusiness && isInEu(countryCode) ? ('factur-x' as const) : ('' as const)),
    purchaseOrder: order.purchaseOrder,
    paymentDays: organization.paymentDays ?? billing.paymentDays,
  }
}

function sellerNow(): InvoiceDocument['seller'] {
  const { name, street, postcode, city, country, email, phone, vatNumber, taxNumber, iban, bic } = billing
  return {
    name,
    street,
    postcode,
    city,
    countryCode: country,
    email: email ?? identity.email,
    phone: phone ?? '',
    vatNumber: vatNumber ?? '',
    taxNumber: taxNumber ?? '',
    iban: iban ?? '',
    bic: bic ?? '',
  }
}

function amountsOf({ lines, taxParts, net, tax, gross }: Row<'orders'>) {
  return { lines, taxParts, net, tax, gross }
}

function dueOn({ dueAt }: Row<'orders'>, issuedOn: string, days: number): string {
  return dueAt ? businessDay(dueAt, billing.zone) : daysLater(issuedOn, days)
}

type Told = Numbered & { kind: InvoiceKind } & Omit<
    InvoiceDocument,
    'number' | 'kind' | 'issuedOn' | 'suppliedOn' | 'suppliedUntil' | 'currency' | 'order' | 'exchange' | 'isTest'
  >

async function write(
  trx: Trx,
  order: Row<'orders'>,
  at: Date,
  tell: (numbered: Numbered) => Told & { paymentDays?: number },
  earlier?: { id: string; document: InvoiceDocument },
): Promise<Issued> {
  const period = periodOf(order)
  const { series, year, serial, paymentDays: _days, ...told } = tell(await nextNumber(trx, order.isTest, at))
  const document: InvoiceDocument = {
    ...told,
    // A correction or credit note is about the supply of its earlier document, at the same rate.
    suppliedOn: earlier?.document.suppliedOn ?? period?.start ?? told.issuedOn,
    suppliedUntil: earlier ? earlier.document.suppliedUntil : (period?.end ?? null),
    currency: order.currency,
    order: order.reference,
    exchange: exchangeOf(order.currency, told.tax, earlier?.document.exchange ?? exchangeOn(order.currency, told.issuedOn)),
    isTest: order.isTest,
  }
  const { number, kind, net, tax, gross, issuedOn, dueOn: due, currency, isTest } = document
  const issued = { id: newId(), number, kind, net, tax, gross, currency, issuedOn, dueOn: due, isTest }
  const { organizationId } = order
  await insert(trx, 'invoices', {
    ...issued,
    series,
    year,
    serial,
    orderId: order.id,
    organizationId,
    correctsId: earlier?.id ?? null,
    document: JSON.stringify(document),
  })
  await trx.insertInto('invoiceFiles').values({ invoiceId: issued.id }).execute()
  await enqueue(trx, { kind: MAKE_INVOICE, payload: { id: issued.id }, dedupeKey: `${MAKE_INVOICE}:${issued.id}` })
  return issued
}

/** The tax in the currency of the seller: the law asks for it where both differ. */
function exchangeOf(currency: string, tax: number, found: { rate: string; on: string } | undefined): InvoiceDocument['exchange'] {
  if (currency === homeCurrency() || !found) return null
  return { currency: homeCurrency(), rate: found.rate, on: found.on, tax: toHome(tax, currency, found.rate) }
}
