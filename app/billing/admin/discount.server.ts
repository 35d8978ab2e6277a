import { type Actor, audit, by } from '#app/auth/users/audit.server.ts'
import { businessDay, daysLater, startOfDay } from '#app/platform/time/business-day.ts'
import { billing } from '#app/content/billing.server.ts'
import { db, newId, transaction } from '#app/platform/database/db.server.ts'
import { now } from '#app/platform/database/sql.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import type { DiscountBody } from './discount.ts'

const TAKEN = 'There is such a code already'

/** Makes a code. Of two with the same name, only one can be used at a time. */
export async function makeDiscount({ lastDay, ...body }: DiscountBody, actor: Actor & { id: string }): Promise<string> {
  if (lastDay && lastDay < businessDay(new Date(), billing.zone)) refuse('lastDay', 'Choose today or a later day')
  if (body.productId && !(await isSold(body.productId))) refuse('productId', 'Choose a dataset that is sold')
  return transaction(async (trx) => {
    const made = await trx
      .insertInto('discountCodes')
      .values({ ...body, id: newId(), expiresAt: lastDay ? startOfDay(daysLater(lastDay, 1), billing.zone) : null, createdBy: actor.id })
      .onConflict((conflict) => conflict.column('code').where('archivedAt', 'is', null).doNothing())
      .returning('id')
      .executeTakeFirst()
    if (!made) return refuse('code', TAKEN)
    await audit(trx, 'discount_code_made', { ...by(actor), subjectId: made.id, detail: { code: body.code } })
    return made.id
  })
}

/** An archived code cannot be used. Orders that have it keep their price. */
export async function archiveDiscount(id: string, isArchived: boolean, actor: Actor): Promise<void> {
  await transaction(async (trx) => {
    const found = await trx.selectFrom('discountCodes').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
    if (!found) return stop('notFound', 'There is no such discount code.')
    if ((found.archivedAt !== null) === isArchived) return undefined
    const { code } = found
    const other = trx.selectFrom('discountCodes').select('id').where('code', '=', code).where('archivedAt', 'is', null)
    if (!isArchived && (await other.executeTakeFirst())) stop('conflict', `${TAKEN}: ${code}.`, { code: 'code_taken' })
    await trx
      .updateTable('discountCodes')
      .set({ archivedAt: isArchived ? now : null })
      .where('id', '=', id)
      .execute()
    await audit(trx, isArchived ? 'discount_code_archived' : 'discount_code_restored', { ...by(actor), subjectId: id, detail: { code } })
    return undefined
  })
}

async function isSold(id: string): Promise<boolean> {
  const found = await db
    .selectFrom('dataProducts')
    .select('id')
    .where('id', '=', id)
    .where('removedAt', 'is', null)
    .where('isFree', '=', false)
    .executeTakeFirst()
  return found !== undefined
}

function refuse(field: keyof DiscountBody, sentence: string): never {
  stop('unprocessable', `${sentence}.`, { errors: { [field]: sentence } })
}
