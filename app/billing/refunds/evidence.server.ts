import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { strToU8, zip } from 'fflate'
import { EMAIL_JOB, enqueuedEmail } from '#app/mail/outbox.server.ts'
import { findInvoicesOf } from '#app/billing/invoices/invoice.server.ts'
import { db } from '#app/platform/database/db.server.ts'
import { condition } from '#app/platform/database/sql.server.ts'
import { moneyText } from '#app/platform/text/money.ts'
import { stop } from '#app/platform/errors/stop.ts'
import type { Row } from '#db/tables.ts'

const MOST = 5000
const pack = promisify<Record<string, Uint8Array>, Uint8Array>(zip)

/** Everything that shows a bank that a disputed order was ordered, delivered and used: one ZIP of texts. */
export async function makeEvidencePack(disputeId: string): Promise<{ name: string; bytes: Uint8Array }> {
  const dispute = await db.selectFrom('disputes').selectAll().where('id', '=', disputeId).executeTakeFirst()
  if (!dispute) return stop('notFound', 'There is no such dispute.')
  const order = dispute.orderId && (await db.selectFrom('orders').selectAll().where('id', '=', dispute.orderId).executeTakeFirst())
  if (!order) return stop('conflict', 'The payment of this dispute is not of one order.', { code: 'no_order' })
  const files = {
    'summary.txt': await summaryOf(dispute, order),
    ...licenceFiles(await findLicence(order)),
    'downloads.csv': await listDownloads(order),
    'activity.csv': await listActivity(order),
    'emails.csv': await listEmails(order),
  }
  const entries = Object.entries(files).map(([name, text]) => [name, strToU8(text)] as const)
  return { name: `evidence-${order.reference}.zip`, bytes: await pack(Object.fromEntries(entries)) }
}

async function summaryOf(dispute: Row<'disputes'>, order: Row<'orders'>): Promise<string> {
  const payment = await db.selectFrom('payments').selectAll().where('id', '=', dispute.paymentId).executeTakeFirstOrThrow()
  const buyer = await db.selectFrom('organizations').selectAll().where('id', '=', order.organizationId).executeTakeFirstOrThrow()
  const invoices = await findInvoicesOf(order.id)
  const account = order.userId && (await db.selectFrom('accounts').select('email').where('id', '=', order.userId).executeTakeFirst())
  const { legalName, name, address, countryCode, vatNumber } = buyer
  const { id, subscriptionId } = order
  const grants = await db
    .selectFrom('entitlements')
    .select(['createdAt', 'revokedAt'])
    .where((of) => of.or([of('orderId', '=', id), ...(subscriptionId ? [of('subscriptionId', '=', subscriptionId)] : [])]))
    .orderBy('createdAt')
    .execute()
  return lines([
    ['Dispute', `${dispute.providerId}, ${moneyText(dispute.amount, dispute.currency)}, ${dispute.reason}, ${dispute.state}`],
    ['Order', `${order.reference}, ${order.title}`],
    ['Ordered', order.createdAt.toISOString()],
    ['Paid', `${payment.paidAt.toISOString()}, ${moneyText(payment.amount, payment.currency)}, ${payment.provider} ${payment.providerId}`],
    ['Invoices', invoices.map(({ number, issuedOn }) => `${number} of ${issuedOn}`).join(', ')],
    ['Customer', [legalName || name, address, countryCode, vatNumber].filter(Boolean).join(', ')],
    ['Ordered by', account ? (account.email ?? '') : ''],
    ['Bought for a business', order.isBusiness ? 'yes' : 'no'],
    ...(order.supplyConsent
      ? [['Agreed to immediate supply', `${order.supplyConsent.acceptedAt}: ${order.supplyConsent.text}`] as const]
      : []),
    ...grants.map(
      ({ createdAt, revokedAt }) => ['Access', `from ${createdAt.toISOString()} to ${revokedAt?.toISOString() ?? 'now'}`] as const,
    ),
  ])
}

function lines(facts: (readonly [string, string])[]): string {
  return `${facts.map(([name, value]) => `${name}: ${value}`).join('\n')}\n`
}

/** A period of a subscription goes on with the licence of its first order. */
async function findLicence({ licence, subscriptionId }: Row<'orders'>): Promise<Row<'orders'>['licence']> {
  if (licence || !subscriptionId) return licence
  const first = db.selectFrom('orders').select('licence').where('subscriptionId', '=', subscriptionId).where('kind', '=', 'dataset')
  return (await first.executeTakeFirst())?.licence ?? null
}

/** The text as it was accepted, and who accepted it. The hash shows that nothing of it was changed. */
function licenceFiles(licence: Row<'orders'>['licence']): Record<string, string> {
  if (!licence) return {}
  const { text, version, hash, acceptedAt, acceptedBy } = licence
  const isSame = createHash('sha256').update(text).digest('hex') === hash
  const accepted = lines([
    ['Version', version],
    ['SHA-256', hash],
    ['Text matches the hash', isSame ? 'yes' : 'no'],
    ['Accepted at', acceptedAt],
    ['Accepted by account', acceptedBy],
  ])
  return { 'license.txt': `${text}\n`, 'license-accepted.txt': accepted }
}

async function listDownloads({ organizationId, productId, createdAt }: Row<'orders'>): Promise<string> {
  const rows = await db
    .selectFrom('downloads')
    .leftJoin('accounts', 'accounts.id', 'downloads.userId')
    .select(['downloads.createdAt', 'downloads.type', 'downloads.format', 'accounts.email'])
    .where('downloads.organizationId', '=', organizationId)
    .where('downloads.productId', '=', productId)
    .where('downloads.createdAt', '>=', createdAt)
    .orderBy('downloads.createdAt')
    .limit(MOST)
    .execute()
  return table([
    ['time', 'account', 'kind', 'format'],
    ...rows.map((row) => [row.createdAt.toISOString(), row.email ?? '', row.type, row.format ?? '']),
  ])
}

/** With the addresses from which the person who ordered worked. */
async function listActivity({ userId, organizationId, createdAt }: Row<'orders'>): Promise<string> {
  const since = new Date(createdAt.getTime() - 30 * 86_400_000)
  const rows = await db
    .selectFrom('auditEvents')
    .select(['createdAt', 'action', 'address'])
    .where('createdAt', '>=', since)
    .where((or) => or.or([or('actorId', '=', userId), or('subjectId', '=', organizationId)]))
    .orderBy('createdAt')
    .limit(MOST)
    .execute()
  return table([['time', 'action', 'address'], ...rows.map((row) => [row.createdAt.toISOString(), row.action, row.address ?? ''])])
}

/** Emails to the person who ordered, as long as the outbox knows them. */
async function listEmails({ userId, createdAt }: Row<'orders'>): Promise<string> {
  const account = userId ? await db.selectFrom('accounts').select('email').where('id', '=', userId).executeTakeFirst() : undefined
  if (!account?.email) return table([['time', 'email', 'subject', 'sent']])
  const rows = await db
    .selectFrom('jobs')
    .select(['createdAt', 'payload', 'doneAt'])
    .where('kind', '=', EMAIL_JOB)
    .where('createdAt', '>=', createdAt)
    .where(condition`payload->>'to' = ${account.email}`)
    .orderBy('createdAt')
    .limit(MOST)
    .execute()
  const sent = rows.map((row) => {
    const { kind, subject = '' } = enqueuedEmail.parse(row.payload)
    return [row.createdAt.toISOString(), kind, subject, row.doneAt?.toISOString() ?? '']
  })
  return table([['time', 'email', 'subject', 'sent'], ...sent])
}

function table(rows: string[][]): string {
  const cell = (text: string) => `"${text.replaceAll('"', '""')}"`
  return rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('')
}
