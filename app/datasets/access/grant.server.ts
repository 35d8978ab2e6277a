import { type Actor, audit, by, organizationDetail } from '#app/auth/users/audit.server.ts'
import { aboutLead } from '#app/leads/lead/reply-address.server.ts'
import { settleBy } from '#app/leads/lead/lead-status.server.ts'
import { enqueueEmail } from '#app/mail/outbox.server.ts'
import { db, insert, transaction, type Trx } from '#app/platform/database/db.server.ts'
import { notificationJob } from '#app/account/notifications/notification.server.ts'
import { enqueue, type NewJob } from '#app/platform/jobs.server.ts'
import { now } from '#app/platform/database/sql.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { lockOrganization } from '#app/organizations/organization/organization.server.ts'
import { currentAccounts } from '#app/auth/users/account.server.ts'
import { directory } from '#app/auth/directory/directory.server.ts'
import type { Row } from '#db/tables.ts'
import { datasetGrantedEmail, datasetRevokedEmail } from './dataset-access.email.tsx'
import type { Entitlement } from './entitlement.ts'

type Grant = {
  productId: string
  /** That of a person alone has the id of their account. */
  organizationId: string
  /** The person who asked, or to whom staff gave it; null for the organization as a whole. */
  userId: string | null
  note?: string
  paymentReference?: string
  /** Null means no end. */
  expiresAt?: Date | null
}

const MOST_LISTED = 500
const NOT_PROVEN = 'This account has not confirmed its email address yet. Grant access after that.'

/** Grants a product for staff. It replaces an earlier grant of staff. The same payment reference, sent again, returns the same grant. */
export async function grant(given: Grant, granter: Actor & { id: string }): Promise<Entitlement> {
  const user =
    given.userId === null ? undefined : ((await directory.findUser(given.userId)) ?? stop('unprocessable', 'There is no such account.'))
  if (user && !user.isProven) stop('conflict', NOT_PROVEN, { code: 'address_not_proven', errors: { email: NOT_PROVEN } })
  const id = await transaction(async (trx) => {
    await lockReceiver(trx, given.organizationId)
    return grantIn(trx, given, granter)
  })
  const [made] = await entitlementRows().where('entitlements.id', '=', id).execute()
  if (!made) throw new Error('A grant that was just made is not there.')
  return toEntitlement(made)
}

/** A grant of an order lives beside those of staff, and ends with its payment. */
type OrderGrant = Grant & { orderId?: string; subscriptionId?: string | null; versionsUntil?: Date | null }

/**
 * Grants a product in the caller's transaction: by staff, or by an order, which is granted once. It settles open requests and tells the members;
 * by email it tells only of grants of staff, since an order has an email of its own. Returns the id of the grant.
 */
export async function grantIn(trx: Trx, given: OrderGrant, granter: Actor): Promise<string> {
  const {
    productId,
    organizationId,
    userId,
    note = '',
    paymentReference = '',
    expiresAt = null,
    orderId,
    subscriptionId,
    versionsUntil,
  } = given
  const organization = await trx.selectFrom('organizations').selectAll().where('id', '=', organizationId).executeTakeFirstOrThrow()
  const product = await lockProduct(trx, productId)
  const before = orderId
    ? await trx.selectFrom('entitlements').select('id').where('orderId', '=', orderId).where('revokedAt', 'is', null).executeTakeFirst()
    : await endLive(trx, { productId, organizationId, paymentReference, expiresAt })
  if (before) return before.id
  const made = await insert(trx, 'entitlements', {
    productId,
    organizationId,
    userId,
    note,
    paymentReference,
    expiresAt,
    orderId,
    subscriptionId,
    versionsUntil,
    grantedBy: orderId ? null : granter.id,
  })
  const contactId = await settleRequests(trx, productId, organizationId, granter.id)
  const detail = { product: product.slug, ...organizationDetail(userId ?? organizationId, organizationId) }
  await audit(trx, 'dataset_granted', { ...by(granter), subjectId: userId ?? organizationId, detail })
  const until = expiresAt?.toISOString() ?? null
  const readers = await listReaders(trx, organization, userId)
  await enqueue(trx, accessNotice('granted', readers.userIds, product, made.id, nameForMembers(organization)))
  for (const email of orderId ? [] : readers.emails) {
    await enqueueEmail(trx, aboutLead(datasetGrantedEmail(email, { slug: product.slug, name: product.name, until }), contactId))
  }
  return made.id
}

async function lockReceiver(trx: Trx, id: string): Promise<Row<'organizations'>> {
  const organization = await lockOrganization(trx, id)
  if (!organization || organization.state === 'closed') stop('unprocessable', 'There is no such organization, or it was closed.')
  return organization
}

function nameForMembers({ isPersonal, name }: Row<'organizations'>): string | undefined {
  return isPersonal ? undefined : name
}

type Readers = { userIds: string[]; emails: string[] }

/** Lists the people to notify about a decision: everyone who may use the dataset, and by email the admins and the person who asked. */
async function listReaders(trx: Trx, { id, isPersonal }: Row<'organizations'>, userId: string | null): Promise<Readers> {
  const members = await currentAccounts(trx)
    .innerJoin('organizationMembers as member', 'member.userId', 'accounts.id')
    .select(['accounts.id', 'accounts.email', 'member.role'])
    .where('member.organizationId', '=', id)
    .where('member.role', '!=', 'reader')
    .limit(1000)
    .execute()
  const told = members.filter((member) => isPersonal || member.role === 'admin' || member.id === userId)
  return { userIds: members.map((member) => member.id), emails: told.flatMap(({ email }) => email ?? []) }
}

/** Revokes a grant immediately, for links and keys too. Returns `false` if there is nothing to revoke. */
export async function revoke(id: string, revoker: Actor): Promise<boolean> {
  const found = await db
    .selectFrom('entitlements')
    .select(['userId', 'organizationId', 'productId'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!found) return false
  return transaction(async (trx) => {
    const product = await lockProduct(trx, found.productId)
    const live = trx.updateTable('entitlements').set({ revokedAt: new Date() }).where('id', '=', id).where('revokedAt', 'is', null)
    if (!(await live.returning('id').executeTakeFirst())) return false
    const organization = await lockOrganization(trx, found.organizationId)
    const readers = organization ? await listReaders(trx, organization, found.userId) : { userIds: [], emails: [] }
    await audit(trx, 'dataset_revoked', {
      ...by(revoker),
      subjectId: found.userId ?? found.organizationId,
      detail: { product: product.slug, ...organizationDetail(found.userId ?? found.organizationId, found.organizationId) },
    })
    await enqueue(trx, accessNotice('revoked', readers.userIds, product, id, organization && nameForMembers(organization)))
    for (const email of readers.emails) await enqueueEmail(trx, datasetRevokedEmail(email, { slug: product.slug, name: product.name }))
    return true
  })
}

/** Tells people what was decided about their access. `about` is the grant or request. */
export function accessNotice(
  decision: 'granted' | 'revoked' | 'declined',
  userIds: string[],
  { slug, name }: Pick<Row<'dataProducts'>, 'slug' | 'name'>,
  about: string,
  /** Named where a person can have several. */
  organization?: string,
): NewJob {
  return notificationJob({
    kind: 'access_decision',
    title: `Access ${decision}${organization ? ` to ${organization}` : ''}: ${name}`.slice(0, 200),
    link: `/data-marketplace/${slug}`,
    subjectId: about,
    dedupeKey: `dataset_${decision}:${about}`,
    to: { userIds },
  })
}

/** All grants of a product, past ones included, newest first. */
export async function listEntitlements(productId: string): Promise<Entitlement[]> {
  const rows = await entitlementRows()
    .where('productId', '=', productId)
    .orderBy('entitlements.createdAt', 'desc')
    .orderBy('entitlements.id', 'desc')
    .limit(MOST_LISTED)
    .execute()
  return rows.map(toEntitlement)
}

/** All grants of an organization, past ones included, newest first. */
export async function listGrantsOf(organizationId: string) {
  const rows = await entitlementRows()
    .innerJoin('dataProducts', 'dataProducts.id', 'entitlements.productId')
    .select(['dataProducts.slug', 'dataProducts.name as product'])
    .where('organizationId', '=', organizationId)
    .orderBy('entitlements.createdAt', 'desc')
    .orderBy('entitlements.id', 'desc')
    .limit(MOST_LISTED)
    .execute()
  return rows.map(({ slug, product, ...row }) => ({ ...toEntitlement(row), slug, product }))
}

function entitlementRows() {
  return db
    .selectFrom('entitlements')
    .innerJoin('organizations', 'organizations.id', 'entitlements.organizationId')
    .selectAll('entitlements')
    .select(['organizations.name as organizationName', 'organizations.isPersonal'])
    .select((row) => row.selectFrom('accounts').select('accounts.email').whereRef('accounts.id', '=', 'entitlements.userId').as('email'))
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
async function endLive(trx: Trx, { productId, organizationId, paymentReference, expiresAt }: Required<Omit<Grant, 'note' | 'userId'>>) {
  const live = await trx
    .selectFrom('entitlements')
    .selectAll()
    .where('productId', '=', productId)
    .where('organizationId', '=', organizationId)
    .where('revokedAt', 'is', null)
    .where('orderId', 'is', null)
    .executeTakeFirst()
  if (!live) return undefined
  const isSame = paymentReference !== '' && live.paymentReference === paymentReference
  if (isSame && live.expiresAt?.getTime() === expiresAt?.getTime()) return live
  await trx.updateTable('entitlements').set({ revokedAt: new Date() }).where('id', '=', live.id).execute()
  return undefined
}

/** Returns the lead of the request, if there was one. At most one request of an organization is open. */
async function settleRequests(trx: Trx, productId: string, organizationId: string, granterId: string | undefined) {
  const settled = await trx
    .updateTable('productRequests')
    .set({ settledAt: now, outcome: 'granted' })
    .where('productId', '=', productId)
    .where('organizationId', '=', organizationId)
    .where('settledAt', 'is', null)
    .returning('contactId')
    .executeTakeFirst()
  if (settled?.contactId && granterId) await settleBy(trx, settled.contactId, granterId)
  return settled?.contactId
}

type EntitlementRow = Row<'entitlements'> & { email: string | null; organizationName: string; isPersonal: boolean }

function toEntitlement({ grantedBy: _granter, organizationId, organizationName, isPersonal, ...row }: EntitlementRow): Entitlement {
  return {
    ...row,
    ...(!isPersonal && { organization: { id: organizationId, name: organizationName, isPersonal } }),
    expiresAt: row.expiresAt?.toISOString() ?? null,
    revokedAt: row.revokedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
  }
}
