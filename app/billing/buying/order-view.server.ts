import { findMembership, type Membership, requireRight } from '#app/organizations/organization/membership.server.ts'
import { totalText } from '#app/billing/orders/totals.ts'
import { findOrder, isPeriod } from '#app/billing/orders/order-state.server.ts'
import { cancelOrder, findPaged } from '#app/billing/payments/checkout.server.ts'
import { businessDay } from '#app/platform/time/business-day.ts'
import { billing } from '#app/content/billing.server.ts'
import type { CurrentUser } from '#app/account/session/current-user.ts'
import { db } from '#app/platform/database/db.server.ts'
import { Stop, stop } from '#app/platform/errors/stop.ts'
import { percentText } from '#app/platform/text/english-number.ts'
import { moneyText } from '#app/platform/text/money.ts'
import { longDay } from '#app/platform/time/english-date.ts'
import type { Row } from '#db/tables.ts'

/** An order for a member of its organization who may buy. Others' orders do not exist for them. */
export async function findOwnOrder(user: CurrentUser, reference: string): Promise<{ order: Row<'orders'>; organization: Membership }> {
  const order = await findOrder(reference)
  const organization = order && (await findMembership(user, order.organizationId))
  if (!order || !organization) stop('notFound', 'There is no such order.')
  requireRight(organization, 'buy')
  return { order, organization }
}

/** Whether the customer can cancel an order: an invoice that is issued is cancelled by staff, and a renewal with its subscription. */
export function mayCancel(order: Pick<Row<'orders'>, 'kind' | 'state' | 'method' | 'expiresAt'>): boolean {
  return order.state === 'open' && order.method === 'checkout' && !isPeriod(order)
}

/** Whether its customer asks staff to cancel it. Work of a signed proposal is ended by its terms. */
export function isCancelledByStaff({ kind, state, method }: Pick<Row<'orders'>, 'kind' | 'state' | 'method'>): boolean {
  return kind === 'dataset' && state === 'open' && method === 'invoice'
}

export async function cancelOwnOrder(order: Row<'orders'>, actor: { id: string; address: string }): Promise<void> {
  if (order.method === 'invoice') stop('conflict', 'Your invoice is issued already. Please contact us to cancel this order.')
  await cancelOrder(order.id, actor)
}

/** An order in words, as its page shows it. */
export async function describeOrder(order: Row<'orders'>) {
  const { reference, title, state, currency, lines, taxParts, failure, productId, isTest, method, dueAt, purchaseOrder } = order
  const isUntaxed = order.taxBy === 'provider' && !order.providerTax
  const text = (amount: number) => moneyText(amount, currency)
  const product = productId
    ? await db
        .selectFrom('dataProducts')
        .select(['slug', 'name'])
        .where('id', '=', productId)
        .where('removedAt', 'is', null)
        .executeTakeFirst()
    : undefined
  return {
    reference,
    title,
    state,
    failure,
    isTest,
    method,
    purchaseOrder,
    /** The last day to pay an invoice. */
    dueOn: method === 'invoice' && dueAt ? longDay(new Date(businessDay(dueAt, billing.zone))) : '',
    mayCancel: mayCancel(order),
    isCancelledByStaff: isCancelledByStaff(order),
    mayPay: state === 'open' && (!isPeriod(order) || (await findPaged([order.id])).has(order.id)),
    product: product ?? null,
    total: totalText(order),
    lines: [
      ...lines.map((line) => ({ label: line.title, detail: line.detail, text: text(line.net) })),
      ...taxParts.map(({ rate, tax, reason }) => ({
        label: rate > 0 ? `Tax, ${percentText(rate)}` : 'Tax',
        detail: reason,
        text: isUntaxed ? '' : text(tax),
      })),
    ],
  }
}

/** The sentence of an expected refusal; other errors go on. */
export function sentenceOf(error: unknown): string {
  if (!(error instanceof Stop)) throw error
  return error.data
}
