import { z } from 'zod'
import { notificationJob } from '#app/account/notifications/notification.server.ts'
import { currentAccounts } from '#app/auth/users/account.server.ts'
import { db } from '#app/platform/database/db.server.ts'
import { condition, daysAgo, now, secondsFromNow } from '#app/platform/database/sql.server.ts'
import { defineJob, enqueue } from '#app/platform/jobs.server.ts'
import type { Row } from '#db/tables.ts'
import type { ApiKey, OrganizationKey } from './api-key.ts'
import { heldBy, type KeyHolder, listKeyOwners } from './key-holding.server.ts'
import { THIS_MONTH } from './quota.server.ts'

/** Ended keys are listed for this many days. */
const TOLD_DAYS = 30
const MOST = 200

/** The keys of a person or an organization, newest first: working ones and those that ended recently. */
export async function listOwnKeys(holder: KeyHolder): Promise<ApiKey[]> {
  const rows = await keysOf()
    .where(heldBy(holder))
    .where(condition`coalesce(least(revoked_at, expires_at) > ${daysAgo(TOLD_DAYS)}, true)`)
    .orderBy('apiKeys.createdAt', 'desc')
    .orderBy('apiKeys.id', 'desc')
    .limit(MOST)
    .execute()
  const names = await namesOf(rows.flatMap(({ productIds }) => productIds ?? []))
  return rows.map((row) => toKey(row, names))
}

/** All keys of an organization that work, with the member whose key it is: newest first. Admins see them. */
export async function listOrganizationKeys(organizationId: string): Promise<OrganizationKey[]> {
  const rows = await keysOf()
    .leftJoin(
      currentAccounts().select(['accounts.id as ownerId', 'accounts.email as ownerEmail']).as('owner'),
      'owner.ownerId',
      'apiKeys.userId',
    )
    .select('owner.ownerEmail')
    .where('apiKeys.organizationId', '=', organizationId)
    .where('revokedAt', 'is', null)
    .where((key) => key.or([key('expiresAt', 'is', null), key('expiresAt', '>', now)]))
    .orderBy('apiKeys.createdAt', 'desc')
    .orderBy('apiKeys.id', 'desc')
    .limit(MOST)
    .execute()
  const names = await namesOf(rows.flatMap(({ productIds }) => productIds ?? []))
  return rows.map(({ ownerEmail, ...row }) => ({ ...toKey(row, names), owner: row.isService ? null : (ownerEmail ?? 'Deleted account') }))
}

export async function findOwnKey(holder: KeyHolder, id: string): Promise<ApiKey | undefined> {
  const row = await keysOf().where(heldBy(holder)).where('apiKeys.id', '=', id).executeTakeFirst()
  return row && toKey(row, await namesOf(row.productIds ?? []))
}

function keysOf() {
  return db
    .selectFrom('apiKeys')
    .leftJoin('apiQuotas', (on) => on.onRef('apiQuotas.keyId', '=', 'apiKeys.countedAs').on('apiQuotas.month', '=', THIS_MONTH))
    .innerJoin('organizations', 'organizations.id', 'apiKeys.organizationId')
    .selectAll('apiKeys')
    .select(['apiQuotas.used', 'organizations.name as organizationName', 'isPersonal'])
}

type Named = { id: string; slug: string; name: string }

async function namesOf(productIds: string[]): Promise<Map<string, Named>> {
  if (productIds.length === 0) return new Map()
  const products = db.selectFrom('dataProducts').select(['id', 'slug', 'name']).where('id', 'in', productIds).where('removedAt', 'is', null)
  return new Map((await products.execute()).map((product) => [product.id, product]))
}

type ListedKey = Row<'apiKeys'> & { used: number | null; organizationName: string; isPersonal: boolean }

function toKey({ used, organizationName, isPersonal, ...key }: ListedKey, names: ReadonlyMap<string, Named>): ApiKey {
  const { id, name, prefix, productIds, monthlyQuota, replacedBy } = key
  return {
    id,
    name,
    prefix,
    ...(!isPersonal && { organization: { id: key.organizationId, name: organizationName, isPersonal } }),
    state: stateOf(key),
    datasets: productIds && productIds.flatMap((productId) => names.get(productId) ?? []),
    monthlyQuota,
    used: used ?? 0,
    replacedBy,
    expiresAt: key.expiresAt?.toISOString() ?? null,
    revokedAt: key.revokedAt?.toISOString() ?? null,
    lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
    createdAt: key.createdAt.toISOString(),
  }
}

function stateOf({ revokedAt, expiresAt, replacedBy }: Row<'apiKeys'>): ApiKey['state'] {
  if (revokedAt) return 'revoked'
  if (expiresAt && expiresAt <= new Date()) return 'expired'
  return replacedBy ? 'replaced' : 'live'
}

/** The owner of a key is told as soon as it ends within `until` days, but not within `from` days, for which there is a notice of its own. */
const toldBefore = [
  { until: 7, from: 1 },
  { until: 1, from: 0 },
]

/** Tells the owners of keys that end soon. A replaced key has a successor, so its end is no news. */
async function tellExpiring(): Promise<void> {
  for (const { until: days, from } of toldBefore) {
    const ending = await db
      .selectFrom('apiKeys')
      .select(['id', 'userId', 'organizationId', 'isService', 'name', 'expiresAt'])
      .where('revokedAt', 'is', null)
      .where('replacedBy', 'is', null)
      .where('expiresAt', '>', secondsFromNow(from * 24 * 3600))
      .where('expiresAt', '<', secondsFromNow(days * 24 * 3600))
      .execute()
    for (const { id, name, expiresAt, ...holder } of ending) {
      const notice = notificationJob({
        kind: 'key_expiry',
        title: `API key ${name} expires within ${days === 1 ? 'a day' : `${days} days`}`.slice(0, 200),
        body: expiresAt && `It stops working on ${expiresAt.toISOString().slice(0, 16).replace('T', ' ')} UTC.`,
        link: '/account/keys',
        subjectId: id,
        dedupeKey: `key_expiry:${id}:${days}`,
        to: { userIds: (await listKeyOwners(db, holder)).map((owner) => owner.id) },
      })
      await enqueue(db, notice)
    }
  }
}

defineJob('api-keys.expiring', z.unknown(), tellExpiring, { every: 'hour' })
