import { allowFresh } from '#app/access.server.ts'
import { notify } from '#app/account/notifications/notification.server.ts'
import { listAccountIds } from '#app/auth/users/account.server.ts'
import { billing } from '#app/content/billing.server.ts'
import { newId, type Trx } from '#app/platform/database/db.server.ts'
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
  // Owners, and staff to whom the owner gave the right.
  const writers = await listAccountIds(['staff', 'owner'], { right: 'billing.write' })
  if (writers.length > 1) return limitOf(currency)
  if (amount > 0 && amount >= limitOf(currency)) await allowFresh(requestContext, 'billing.write')
  return false
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
