import { sql } from 'kysely'
import { type Actor, audit, by } from '#app/identity/audit.server.ts'
import { post } from '#app/mail/outbox.server.ts'
import { db, insert, transaction, type Trx } from '#app/platform/db.server.ts'
import { stop } from '#app/platform/stop.ts'
import { directory } from '#app/users/directory.server.ts'
import type { Row } from '#db/tables.ts'
import { datasetGrantedLetter, datasetRevokedLetter } from './dataset-access.email.tsx'
import type { Entitlement } from './entitlement.ts'
import { holder } from './holder.server.ts'

type Grant = {
  productId: string
  userId: string
  note?: string
  paymentReference?: string
  /** Null: for good. */
  expiresAt?: Date | null
}

const MOST_LISTED = 500
const NOT_PROVEN = 'This account has not confirmed its address yet. Access can be granted once it has.'

/**
 * Gives someone a product: the one way in, for staff now and for what hears of payments later. What they were given before ends with it. Told twice of one payment,
 * the first stands: such messages come at least once. Open requests of theirs are settled, and a letter tells them.
 */
export async function grant(
  { productId, userId, note = '', paymentReference = '', expiresAt = null }: Grant,
  granter: Actor & { id: string },
): Promise<Entitlement> {
  const user = (await directory.findUser(userId)) ?? stop('unprocessable', 'There is no such account.')
  if (!user.isProven) stop('conflict', NOT_PROVEN, { code: 'address_not_proven', errors: { email: NOT_PROVEN } })
  const row = await transaction(async (trx) => {
    const product = await lockProduct(trx, productId)
    const before = await endLive(trx, { productId, userId, paymentReference, expiresAt })
    if (before) return before
    const made = await insert(trx, 'entitlements', { productId, userId, grantedBy: granter.id, note, paymentReference, expiresAt })
    await settleRequests(trx, productId, userId)
    await audit(trx, 'dataset_granted', { ...by(granter), subjectId: userId, detail: { product: product.slug } })
    const until = expiresAt?.toISOString() ?? null
    if (user.email) await post(trx, datasetGrantedLetter(user.email, { slug: product.slug, name: product.name, until }))
    return made
  })
  return toEntitlement({ ...row, email: user.email })
}

/** Takes it back at once, for links and keys too. Answers `false` where there is nothing to take back. */
export async function revoke(id: string, revoker: Actor): Promise<boolean> {
  const found = await db.selectFrom('entitlements').select(['userId', 'productId']).where('id', '=', id).executeTakeFirst()
  if (!found) return false
  const user = await directory.findUser(found.userId)
  return transaction(async (trx) => {
    const product = await lockProduct(trx, found.productId)
    const live = trx.updateTable('entitlements').set({ revokedAt: new Date() }).where('id', '=', id).where('revokedAt', 'is', null)
    if (!(await live.returning('id').executeTakeFirst())) return false
    await audit(trx, 'dataset_revoked', { ...by(revoker), subjectId: found.userId, detail: { product: product.slug } })
    if (user?.email) await post(trx, datasetRevokedLetter(user.email, { slug: product.slug, name: product.name }))
    return true
  })
}

/** Who has, or had, a product: the newest first. */
export async function listEntitlements(productId: string): Promise<Entitlement[]> {
  const rows = await db
    .selectFrom('entitlements')
    .selectAll()
    .select(holder)
    .where('productId', '=', productId)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(MOST_LISTED)
    .execute()
  return rows.map(toEntitlement)
}

/** Someone's account by its whole address, wherever accounts are kept. */
export async function findByAddress(email: string): Promise<string | undefined> {
  const { users } = await directory.listUsers({ search: email, limit: 200 })
  return users.find((user) => user.email?.toLowerCase() === email.toLowerCase())?.id
}

/** Until the transaction ends nobody else gives or takes this product: two who press at once take turns. */
async function lockProduct(trx: Trx, id: string): Promise<Pick<Row<'dataProducts'>, 'slug' | 'name'>> {
  const product = await trx.selectFrom('dataProducts').select(['slug', 'name']).where('id', '=', id).forUpdate().executeTakeFirst()
  return product ?? stop('notFound', 'There is no such dataset.')
}

/** Ends what they have, unless it is of the same payment: that is answered. */
async function endLive(trx: Trx, { productId, userId, paymentReference, expiresAt }: Required<Omit<Grant, 'note'>>) {
  const live = await trx
    .selectFrom('entitlements')
    .selectAll()
    .where('productId', '=', productId)
    .where('userId', '=', userId)
    .where('revokedAt', 'is', null)
    .executeTakeFirst()
  if (!live) return undefined
  const isSame = paymentReference !== '' && live.paymentReference === paymentReference
  if (isSame && live.expiresAt?.getTime() === expiresAt?.getTime()) return live
  await trx.updateTable('entitlements').set({ revokedAt: new Date() }).where('id', '=', live.id).execute()
  return undefined
}

async function settleRequests(trx: Trx, productId: string, userId: string): Promise<void> {
  await trx
    .updateTable('productRequests')
    .set({ settledAt: sql<Date>`now()`, outcome: 'granted' })
    .where('productId', '=', productId)
    .where('userId', '=', userId)
    .where('settledAt', 'is', null)
    .execute()
}

function toEntitlement({ grantedBy: _granter, ...row }: Row<'entitlements'> & { email: string | null }): Entitlement {
  return {
    ...row,
    expiresAt: row.expiresAt?.toISOString() ?? null,
    revokedAt: row.revokedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
  }
}
