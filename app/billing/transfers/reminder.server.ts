import { sql } from 'kysely'
import { z } from 'zod'
import { type AuditAction, audit } from '#app/auth/users/audit.server.ts'
import { eventOf } from '#app/billing/invoices/make.server.ts'
import { amountText, dayText } from '#app/billing/invoices/words.ts'
import { lockOrder } from '#app/billing/orders/order-state.server.ts'
import { recipientsOf } from '#app/billing/orders/recipients.server.ts'
import { placeOrder } from '#app/billing/orders/place-order.server.ts'
import { totalsOf, type Totals } from '#app/billing/orders/totals.ts'
import { payPath } from '#app/billing/payments/checkout.server.ts'
import { findOwed } from '#app/billing/payments/settlement.server.ts'
import { businessDay, daysLater } from '#app/platform/time/business-day.ts'
import { homeCurrency, taxOf } from '#app/billing/tax/tax.server.ts'
import { billing } from '#app/content/billing.server.ts'
import { enqueueEmail } from '#app/mail/outbox.server.ts'
import { db, transaction, type Trx } from '#app/platform/database/db.server.ts'
import { queryRows } from '#app/platform/database/sql.server.ts'
import { env } from '#app/platform/env.server.ts'
import { defineJob, JobFailure } from '#app/platform/jobs.server.ts'
import { emitWebhook } from '#app/platform/jobs/webhook-event.server.ts'
import { log } from '#app/platform/process/log.server.ts'
import type { Row } from '#db/tables.ts'
import { minorAmount } from './minor-amount.ts'
import { reminderEmail } from './reminder.email.tsx'
import { bankAccount } from './transfer-details.server.ts'

type Step = { days: number; action: AuditAction; hasFee?: boolean; hasInterest?: boolean }

/** Days after the day to pay, in the zone of the business. */
const steps: readonly Step[] = [
  { days: 3, action: 'first_reminder_sent' },
  { days: 10, action: 'second_reminder_sent', hasFee: true },
  { days: 20, action: 'last_reminder_sent', hasInterest: true },
]

const DAY_MS = 86_400_000

/** Reminds of each unpaid invoice whose next reminder is due. One that fails does not hold the others up; it is tried again. */
export async function remindOfInvoices(at = new Date()): Promise<void> {
  const failed: string[] = []
  for (const { id, reference } of await listLate(businessDay(at, billing.zone))) {
    try {
      await transaction((trx) => remind(trx, id, at))
    } catch (error) {
      log.warn({ err: error, order: reference }, 'a reminder could not be sent')
      failed.push(reference)
    }
  }
  if (failed.length > 0)
    throw new JobFailure(`These orders could not be reminded of: ${failed.join(', ')}. Is there a tax rule for their fee?`)
}

/** Orders whose invoice is late. Fees are not reminded of: that would cost fees without end. While orders are tests, tests count. */
async function listLate(today: string): Promise<{ id: string; reference: string }[]> {
  return queryRows(
    db,
    { id: z.string(), reference: z.string() },
    sql`SELECT o.id, o.reference FROM orders AS o
    WHERE o.method = 'invoice' AND o.state = 'open' AND o.kind <> 'fee' AND NOT o.reminders_paused AND o.is_test = ${env.PAYMENTS.includes('test')}
      AND EXISTS (SELECT FROM invoices WHERE order_id = o.id AND due_on <= ${daysLater(today, -(steps[0]?.days ?? 0))}::date)
      AND (SELECT count(*) FROM order_reminders WHERE order_id = o.id) < ${steps.length}
    ORDER BY o.created_at, o.id`,
  )
}

/** The row of the reminder, its email and its fee are written together, under the lock of the order: two processes send it once, and a killed one leaves nothing. */
async function remind(trx: Trx, orderId: string, at: Date): Promise<void> {
  const order = await lockOrder(trx, orderId)
  const due = order && (await findDue(trx, order, at))
  if (!order || !due) return
  const { step, number, owed, invoice } = due
  const to = await recipientsOf(trx, order, 'instead')
  if (to.length === 0) return
  const fee = step.hasFee ? feeFor(order, due, at) : undefined
  const interest = step.hasInterest ? interestOf(due, businessDay(at, billing.zone)) : 0
  const row = { orderId, step: number, fee: fee?.gross ?? 0, interest, sentAt: at }
  await trx.insertInto('orderReminders').values(row).execute()
  const detail = { order: order.reference, invoice: invoice.number, owed }
  await audit(trx, step.action, { subjectId: order.organizationId, detail })
  const { language } = invoice.document
  const text = (amount: number) => (amount > 0 ? amountText(language, amount, order.currency) : '')
  const told = {
    language,
    step: number,
    number: invoice.number,
    owed: text(owed),
    due: dayText(language, invoice.dueOn),
    account: bankAccount() ?? null,
    fee: text(row.fee),
    interest: text(interest),
    rate: billing.reminderInterest ?? '',
    link: `${env.SITE_URL}${payPath(order.reference)}`,
  }
  await enqueueEmail(trx, ...to.map((address) => reminderEmail(address, told)))
  if (number === 1)
    await emitWebhook(trx, 'invoice.overdue', () => [{ subjectId: invoice.id, data: eventOf(invoice.id, invoice.document) }])
  // Last, because the number of its invoice keeps others waiting.
  if (fee) await placeFee(trx, order, due, fee, at)
}

type Due = NonNullable<Awaited<ReturnType<typeof findDue>>>

/** The reminder that a locked order is due for, if any. */
async function findDue(trx: Trx, order: Row<'orders'>, at: Date) {
  if (order.state !== 'open' || order.remindersPaused || (await isUndecided(trx, order.id))) return undefined
  const owed = await findOwed(trx, order)
  const organization = await trx.selectFrom('organizations').selectAll().where('id', '=', order.organizationId).executeTakeFirstOrThrow()
  const invoice = await trx
    .selectFrom('invoices')
    .select(['id', 'number', 'dueOn', 'document'])
    .where('orderId', '=', order.id)
    .where('kind', '!=', 'credit_note')
    .orderBy('createdAt', 'desc')
    .orderBy('serial', 'desc')
    .executeTakeFirst()
  if (owed <= 0 || organization.state === 'closed' || !invoice?.dueOn) return undefined
  const { dueOn } = invoice
  const sent = await trx.selectFrom('orderReminders').select('sentAt').where('orderId', '=', order.id).orderBy('step').execute()
  const step = steps[sent.length]
  if (!step || businessDay(at, billing.zone) < dayOf(step, dueOn, sent)) return undefined
  return { step, number: sent.length + 1, owed, organization, invoice: { ...invoice, dueOn } }
}

/** A reminder keeps its distance to the one before, also where that one was late. */
function dayOf(step: Step, dueOn: string, sent: readonly { sentAt: Date }[]): string {
  const planned = daysLater(dueOn, step.days)
  const [last, before] = [sent.at(-1), steps[sent.length - 1]]
  if (!last || !before) return planned
  const earliest = daysLater(businessDay(last.sentAt, billing.zone), step.days - before.days)
  return earliest > planned ? earliest : planned
}

/** Whether a dispute of it is open, or a payment is on its way. */
async function isUndecided(trx: Trx, orderId: string): Promise<boolean> {
  const dispute = trx.selectFrom('disputes').select('id').where('orderId', '=', orderId).where('state', 'in', ['inquiry', 'open'])
  const checkout = trx.selectFrom('checkouts').select('id').where('orderId', '=', orderId).where('state', '=', 'processing')
  return ((await dispute.executeTakeFirst()) ?? (await checkout.executeTakeFirst())) !== undefined
}

/** Consumers pay neither fee nor interest. */
function buysAsBusiness({ isBusiness }: Pick<Row<'orders'>, 'isBusiness'>, { kind }: Row<'organizations'>): boolean {
  return kind === 'business' || (kind === '' && isBusiness)
}

/** The fee of the settings, which are in the currency of the business. Stops where no rule says its tax. */
function feeFor(order: Row<'orders'>, { organization, invoice }: Due, at: Date): Totals | undefined {
  const { currency, isTest } = order
  const amount = (billing.reminderFee && minorAmount(billing.reminderFee, currency)) || 0
  if (amount === 0 || currency !== homeCurrency() || !buysAsBusiness(order, organization)) return undefined
  const line = { title: feeTitle(invoice.number), detail: '', quantity: 1000, unitAmount: amount, discount: 0, supply: 'service' as const }
  return totalsOf([line], taxOf({ ...organization, kind: 'business' }, at, { isTest, currency }))
}

const feeTitle = (number: string) => `Fee for the second reminder of ${number}`

async function placeFee(trx: Trx, order: Row<'orders'>, { organization, invoice }: Due, totals: Totals, at: Date): Promise<void> {
  const { organizationId, userId, currency, isTest, purchaseOrder } = order
  const days = organization.paymentDays ?? billing.paymentDays
  const facts = { organizationId, userId, currency, isTest, purchaseOrder, isBusiness: true, totals }
  await placeOrder(trx, {
    ...facts,
    kind: 'fee',
    method: 'invoice',
    title: feeTitle(invoice.number),
    dueAt: new Date(at.getTime() + days * DAY_MS),
  })
}

/** The interest on the owed amount since the due date, at the rate of the settings. It is stated, not booked. */
function interestOf({ owed, organization, invoice: { dueOn, document } }: Due, today: string): number {
  if (!buysAsBusiness(document.buyer, organization)) return 0
  const { days } = Temporal.PlainDate.from(dueOn).until(today)
  return Math.round((owed * Number(billing.reminderInterest ?? 0) * days) / 36_500)
}

defineJob('transfers.remind', z.unknown(), () => remindOfInvoices(), { every: 'day' })
