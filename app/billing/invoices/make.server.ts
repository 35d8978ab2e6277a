import { createHash } from 'node:crypto'
import { z } from 'zod'
import { notify } from '#app/account/notifications/notification.server.ts'
import { invoiceLink } from '#app/billing/orders/invoice-link.ts'
import { recipientsOf } from '#app/billing/orders/recipients.server.ts'
import { onSettled, onSold } from '#app/billing/orders/fulfilment.server.ts'
import { enqueueEmail } from '#app/mail/outbox.server.ts'
import { storeNumber } from '#app/ops/invoice-numbers.server.ts'
import { db, transaction, type Trx } from '#app/platform/database/db.server.ts'
import { now } from '#app/platform/database/sql.server.ts'
import { env } from '#app/platform/env.server.ts'
import { Stop } from '#app/platform/errors/stop.ts'
import { defineJob, enqueue, JobFailure } from '#app/platform/jobs.server.ts'
import { emitWebhook } from '#app/platform/jobs/webhook-event.server.ts'
import { putFile } from '#app/platform/storage/storage.server.ts'
import type { InvoiceDocument } from './document.ts'
import { invoiceEmail } from './invoice.email.tsx'
import { issueInvoice, MAKE_INVOICE } from './invoice.server.ts'
import { makeFiles } from './invoice-thread.server.ts'
import { amountText, dayText, titleOf } from './words.ts'
import { proposalUrl } from '#app/billing/orders/proposal-link.server.ts'
import { proveVatNumber } from '#app/billing/tax/vat-number.server.ts'

onSold(async (trx, order) => void (await issueInvoice(trx, order.id, order.kind === 'deposit' ? 'prepayment' : 'invoice')))

onSettled(async (trx, { id: orderId, paidAt }) =>
  emitWebhook(trx, 'invoice.paid', async () => {
    const newest = trx.selectFrom('invoices').select(['id', 'document']).where('orderId', '=', orderId).where('kind', '!=', 'credit_note')
    const invoice = await newest.orderBy('createdAt', 'desc').orderBy('serial', 'desc').executeTakeFirst()
    return invoice
      ? [{ subjectId: invoice.id, data: { ...eventOf(invoice.id, invoice.document), paidAt: paidAt?.toISOString() ?? null } }]
      : []
  }),
)

/** The name of a file of an invoice in the storage. */
export function invoiceFile(id: string, kind: 'pdf' | 'xml'): string {
  return `invoices/${id}.${kind}`
}

type Found = NonNullable<Awaited<ReturnType<typeof find>>>

async function find(id: string) {
  return db
    .selectFrom('invoices')
    .innerJoin('invoiceFiles', 'invoiceFiles.invoiceId', 'invoices.id')
    .innerJoin('organizations', 'organizations.id', 'invoices.organizationId')
    .innerJoin('orders', 'orders.id', 'invoices.orderId')
    .select([
      'invoices.id',
      'number',
      'series',
      'year',
      'serial',
      'document',
      'numberStoredAt',
      'madeAt',
      'invoices.organizationId',
      'orders.userId',
      'orders.method',
      'orders.proposalId',
    ])
    .where('invoices.id', '=', id)
    .executeTakeFirst()
}

/** A second run after a crash makes the same files again. Nothing is sent before its number is outside of the database. */
export async function makeInvoice(id: string): Promise<void> {
  const found = await find(id)
  if (!found || found.madeAt) return
  const made = await store(found).catch(async (error: unknown) => {
    const sentence = error instanceof Stop ? error.data : 'The document could not be made or stored.'
    await noteFailure(found, sentence)
    throw new JobFailure(sentence, { cause: error })
  })
  if (!found.document.isTest && found.document.taxParts.some(({ category }) => category === 'AE')) await proveVatNumber(found)
  await transaction((trx) => finish(trx, found, made))
}

async function store({ id, series, year, serial, number, document, numberStoredAt }: Found) {
  if (!numberStoredAt) {
    const { issuedOn, kind, order, currency, gross } = document
    await storeNumber({ series, year, serial }, { number, issuedOn, kind, order, currency, gross, hash: hashOf(JSON.stringify(document)) })
    await db.updateTable('invoiceFiles').set({ numberStoredAt: now }).where('invoiceId', '=', id).execute()
  }
  const { pdf, xml } = await makeFiles(document)
  if (xml) await putFile(invoiceFile(id, 'xml'), Buffer.from(xml))
  await putFile(invoiceFile(id, 'pdf'), pdf)
  return {
    xml,
    columns: {
      pdfBytes: pdf.length,
      pdfHash: hashOf(pdf),
      xmlFormat: document.format,
      ...(xml && { xmlBytes: Buffer.byteLength(xml), xmlHash: hashOf(xml) }),
    },
  }
}

function hashOf(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}

/** Tells staff once; the job goes on trying. */
async function noteFailure({ id, number }: Found, sentence: string): Promise<void> {
  await transaction(async (trx) => {
    await trx.updateTable('invoiceFiles').set({ failure: sentence }).where('invoiceId', '=', id).execute()
    await notify(trx, {
      kind: 'payment_problem',
      title: `Invoice ${number} has no document yet`,
      body: `${sentence} It is tried again every hour.`,
      link: invoiceLink(number),
      dedupeKey: `invoice-failed:${id}`,
      to: { roles: ['owner', 'staff'] },
    })
  })
}

async function finish(trx: Trx, found: Found, { xml, columns }: Awaited<ReturnType<typeof store>>): Promise<void> {
  const { id, document } = found
  const done = await trx
    .updateTable('invoiceFiles')
    .set({ ...columns, failure: '', madeAt: now, sentAt: now })
    .where('invoiceId', '=', id)
    .where('madeAt', 'is', null)
    .returning('invoiceId')
    .executeTakeFirst()
  if (!done) return
  // The buyer of what is paid at a checkout gets the email of its payment.
  const addresses = await recipientsOf(trx, found, found.method === 'invoice' ? 'too' : 'instead')
  const emails = addresses.map((to) => invoiceEmail(to, { ...emailOf(id, document), ...placeOf(found) }))
  await enqueueEmail(trx, ...emails)
  await emitWebhook(trx, 'invoice.issued', () => [{ subjectId: id, data: { ...eventOf(id, document), xml } }])
}

function emailOf(id: string, { language, kind, number, gross, currency, dueOn, order, format }: InvoiceDocument) {
  const stem = number.toLowerCase()
  const files = [{ name: `${stem}.pdf`, type: 'application/pdf', storedAs: invoiceFile(id, 'pdf') }]
  if (format === 'xrechnung' || format === 'peppol')
    files.push({ name: `${stem}.xml`, type: 'application/xml', storedAs: invoiceFile(id, 'xml') })
  return {
    language,
    title: titleOf({ language, kind, gross }),
    number,
    amount: amountText(language, gross, currency),
    due: dueOn && kind !== 'credit_note' ? dayText(language, dueOn) : null,
    order,
    files,
  }
}

/** A client needs no account for the page of a proposal, which takes the payment too. */
function placeOf({ proposalId }: Found): { link: string; isProposal: boolean } {
  return proposalId ? { link: proposalUrl(proposalId), isProposal: true } : { link: `${env.SITE_URL}/account/billing`, isProposal: false }
}

/** An invoice as other programs are told of it. Amounts are in the smallest unit of the currency. */
export function eventOf(id: string, { number, kind, issuedOn, dueOn, order, currency, net, tax, gross, format, isTest }: InvoiceDocument) {
  return { id, number, kind, issuedOn, dueOn, order, currency, net, tax, gross, format, isTest }
}

defineJob(MAKE_INVOICE, z.object({ id: z.string() }), async ({ id }) => makeInvoice(id))

/** Documents that a job gave up on, or of which it was lost. */
async function makeWaiting(): Promise<void> {
  const waiting = await db
    .selectFrom('invoiceFiles')
    .innerJoin('invoices', 'invoices.id', 'invoiceId')
    .select('invoiceId as id')
    .where('madeAt', 'is', null)
    .orderBy('invoices.createdAt')
    .limit(500)
    .execute()
  const hour = new Date().toISOString().slice(0, 13)
  await enqueue(db, ...waiting.map(({ id }) => ({ kind: MAKE_INVOICE, payload: { id }, dedupeKey: `${MAKE_INVOICE}:${id}:${hour}` })))
}

defineJob('invoices.make-waiting', z.unknown(), makeWaiting, { every: 'hour' })
