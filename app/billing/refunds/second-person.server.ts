import { allowFresh } from '#app/access.server.ts'
import { notify } from '#app/account/notifications/notification.server.ts'
import { billing } from '#app/content/billing.server.ts'
import { db, newId, type Trx } from '#app/platform/database/db.server.ts'
import { condition, rowCount } from '#app/platform/database/sql.server.ts'
import type { RequestContext } from '#app/platform/http/request-context.server.ts'
import { minorDigits } from '#app/platform/text/money.ts'

type Money = { amount: number; currency: string }

/** The amount, in the smallest unit, from which a refund or a credit waits for a second person. */
function limitOf(currency: string): number {
  return billing.secondPersonFrom * 10 ** minorDigits(currency)
}

/**
 * The amount from which a second person approves; false where a person alone has the right, who confirms a large one with a fresh sign-in. Every way of
 * staff to a refund or a credit asks here.
 */
export async function findSecondPersonLimit(requestContext: RequestContext, { amount, currency }: Money): Promise<number | false> {
  if ((await countWriters()) > 1) return limitOf(currency)
  if (amount > 0 && amount >= limitOf(currency)) await allowFresh(requestContext, 'billing.write')
  return false
}

/** People who may refund: owners, and staff to whom the owner gave the right. */
async function countWriters(): Promise<number> {
  const { count } = await db
    .selectFrom('accounts')
    .select(rowCount.as('count'))
    .where(condition`role = 'owner' OR (role = 'staff' AND rights @> '["billing.write"]')`)
    .executeTakeFirstOrThrow()
  return count
}

type Decision = { title: string; reason: string; link: string; subjectId: string }

/** Tells the person who asked that a second person declined it. One who declined their own is not told. */
export async function tellDeclined(trx: Trx, { reason, ...decision }: Decision, { by, to }: { by: string; to: string }): Promise<void> {
  await notify(trx, {
    kind: 'payment_problem',
    ...decision,
    body: reason.slice(0, 300),
    // The same can be asked for again after it was declined.
    dedupeKey: `second_person:${newId()}`,
    to: { userIds: [to] },
    by,
  })
}
