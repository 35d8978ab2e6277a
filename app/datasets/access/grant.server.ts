import { type Actor, audit, by } from '#app/auth/users/audit.server.ts'
import { aboutLead } from '#app/leads/lead/reply-address.server.ts'
import { settleBy } from '#app/leads/lead/lead-status.server.ts'
import { enqueueEmail } from '#app/mail/outbox.server.ts'
import { db, insert, transaction, type Trx } from '#app/platform/database/db.server.ts'
import { notificationJob } from '#app/account/notifications/notification.server.ts'
import { enqueue, type NewJob } from '#app/platform/jobs.server.ts'
import { now } from '#app/platform/database/sql.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { directory } from '#app/auth/directory/directory.server.ts'
import type { Row } from '#db/tables.ts'
import { datasetGrantedEmail, datasetRevokedEmail } from './dataset-access.email.tsx'
import type { Entitlement } from './entitlement.ts'

type Grant = {
  productId: string
  userId: string
  note?: string
  paymentReference?: string
  /** Null means no end. */
  expiresAt?: Date | null
}

const MOST_LISTED = 500
const NOT_PROVEN = 'This account has not confirmed its email address yet. Grant access after that.'

/**
 * Grants a product, for staff now and for payment events later. It replaces an earlier grant, settles open requests and sends an email.
 * The first event of a payment counts: such events are delivered at least once.
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
    const contactId = await settleRequests(trx, productId, userId, granter.id)
    await audit(trx, 'dataset_granted', { ...by(granter), subjectId: userId, detail: { product: product.slug } })
    const until = expiresAt?.toISOString() ?? null
    await enqueue(trx, accessNotice('granted', userId, product, made.id))
    if (user.email) {
      const email = datasetGrantedEmail(user.email, { slug: product.slug, name: product.name, until })
      await enqueueEmail(trx, aboutLead(email, contactId))
    }
    return made
  })
  return toEntitlement({ ...row, email: user.email })
}

/** Revokes a grant immediately, for links and keys too. Returns `false` if there is nothing to revoke. */
export async function revoke(id: string, revoker: Actor): Promise<boolean> {
  const found = await db.selectFrom('entitlements').select(['userId', 'productId']).where('id', '=', id).executeTakeFirst()
  if (!found) return false
  const user = await directory.findUser(found.userId)
  return transaction(async (trx) => {
    const product = await lockProduct(trx, found.productId)
    const live = trx.updateTable('entitlements').set({ revokedAt: new Date() }).where('id', '=', id).where('revokedAt', 'is', null)
    if (!(await live.returning('id').executeTakeFirst())) return false
    await audit(trx, 'dataset_revoked', { ...by(revoker), subjectId: found.userId, detail: { product: product.slug } })
    await enqueue(trx, accessNotice('revoked', found.userId, product, id))
    if (user?.email) await enqueueEmail(trx, datasetRevokedEmail(user.email, { slug: product.slug, name: product.name }))
    return true
  })
}

/** Tells a person what was decided about their access. `about` is the grant or request. */
export function accessNotice(
  decision: 'granted' | 'revoked' | 'declined',
  userId: string,
  { slug, name }: Pick<Row<'dataProducts'>, 'slug' | 'name'>,
  about: string,
): NewJob {
  return notificationJob({
    kind: 'access_decision',
    title: `Access ${decision}: ${name}`.slice(0, 200),
    link: `/data-marketplace/${slug}`,
    subjectId: about,
    dedupeKey: `dataset_${decision}:${about}`,
    to: { userIds: [userId] },
  })
}

/** All grants of a product, past ones included, newest first. */
export async function listEntitlements(productId: string): Promise<Entitlement[]> {
  const rows = await db
    .selectFrom('entitlements')
    .selectAll()
    .select((row) => row.selectFrom('accounts').select('accounts.email').whereRef('accounts.id', '=', 'entitlements.userId').as('email'))
    .where('productId', '=', productId)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(MOST_LISTED)
    .execute()
  return rows.map(toEntitlement)
}

/** Finds an account by its exact email address, local or hosted. */
export async function findByAddress(email: string): Promise<string | undefined> {
  const { users } = await directory.listUsers({ search: email, limit: 200 })
  return users.find((user) => user.email?.toLowerCase() === email.toLowerCase())?.id
}

/** Locks the product until the transaction ends, so simultaneous grants and revocations take turns. */
async function lockProduct(trx: Trx, id: string): Promise<Pick<Row<'dataProducts'>, 'slug' | 'name'>> {
  const product = await trx.selectFrom('dataProducts').select(['slug', 'name']).where('id', '=', id).forUpdate().executeTakeFirst()
  return product ?? stop('notFound', 'There is no such dataset.')
}

/** Ends the current grant, unless it belongs to the same payment: then that grant is returned. */
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

/** Returns the lead of the request, if there was one. At most one request of a person is open. */
async function settleRequests(trx: Trx, productId: string, userId: string, granterId: string): Promise<string | null | undefined> {
  const settled = await trx
    .updateTable('productRequests')
    .set({ settledAt: now, outcome: 'granted' })
    .where('productId', '=', productId)
    .where('userId', '=', userId)
    .where('settledAt', 'is', null)
    .returning('contactId')
    .executeTakeFirst()
  if (settled?.contactId) await settleBy(trx, settled.contactId, granterId)
  return settled?.contactId
}

function toEntitlement({ grantedBy: _granter, ...row }: Row<'entitlements'> & { email: string | null }): Entitlement {
  return {
    ...row,
    expiresAt: row.expiresAt?.toISOString() ?? null,
    revokedAt: row.revokedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
  }
}
