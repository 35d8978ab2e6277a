import { allowFresh } from '#app/access.server.ts'
import { billing } from '#app/content/billing.server.ts'
import { db } from '#app/platform/database/db.server.ts'
import { condition, rowCount } from '#app/platform/database/sql.server.ts'
import type { RequestContext } from '#app/platform/http/request-context.server.ts'
import { minorDigits } from '#app/platform/text/money.ts'

/**
 * Whether a refund or a credit of this amount, in the smallest unit of its currency, waits for a second person. A person who alone has the right confirms
 * with a fresh sign-in. Every way of staff to a refund or a credit asks here.
 */
export async function needsSecondPerson(requestContext: RequestContext, { amount, currency }: { amount: number; currency: string }) {
  if (amount <= 0 || amount < billing.secondPersonFrom * 10 ** minorDigits(currency)) return false
  if ((await countWriters()) > 1) return true
  await allowFresh(requestContext, 'billing.write')
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
