import { sql } from 'kysely'
import { z } from 'zod'
import type { Trx } from '#app/platform/database/db.server.ts'
import { now, queryRows } from '#app/platform/database/sql.server.ts'

/** The ids of what moved from one organization to another, so that it can move back. */
export type Moved = {
  entitlements: string[]
  /** Grants of either one that ended, because the other one's grant for the same dataset lasts longer. */
  ended: string[]
  productRequests: string[]
  /** Requests that were settled, because the other one had asked for the same dataset. */
  settled: string[]
  downloads: string[]
  apiKeys: string[]
}

const belongings = ['entitlements', 'productRequests', 'downloads', 'apiKeys'] as const
/** Who owes, pays and is charged. Issued invoices never change: they are found by their orders. */
const books = ['orders', 'subscriptions', 'proposals', 'payments'] as const

type Ids<Tables extends readonly string[]> = Record<Tables[number], string[]>
type MovedBooks = Ids<typeof books>

/** Moves what an organization has: grants, requests, downloads and keys. All of it counts for the other one from then on. */
export async function moveBelongings(trx: Trx, fromId: string, toId: string): Promise<Moved> {
  const ended = await endShorterGrants(trx, fromId, toId)
  const settled = await settleDoubleRequests(trx, fromId, toId)
  const moved: Ids<typeof belongings> = { entitlements: [], productRequests: [], downloads: [], apiKeys: [] }
  for (const table of belongings) moved[table] = await moveRows(trx, table, fromId, toId)
  return { ...moved, ended, settled }
}

/** Moves the orders, subscriptions, proposals and payments of a company to the one that follows it. */
export async function moveBooks(trx: Trx, fromId: string, toId: string): Promise<MovedBooks> {
  const moved: MovedBooks = { orders: [], subscriptions: [], proposals: [], payments: [] }
  for (const table of books) moved[table] = await moveRows(trx, table, fromId, toId)
  return moved
}

type Movable = (typeof belongings)[number] | (typeof books)[number]

async function moveRows(trx: Trx, table: Movable, fromId: string, toId: string): Promise<string[]> {
  const rows = await trx.updateTable(table).set({ organizationId: toId }).where('organizationId', '=', fromId).returning('id').execute()
  return rows.map(({ id }) => id)
}

/**
 * Moves back the rows that are still in the other organization. Rows that were added since then stay there. If the grant of a dataset was revoked since
 * then, no earlier grant of it is restored.
 */
export async function moveBack(
  trx: Trx,
  { ended, settled, ...moved }: Moved & Partial<MovedBooks>,
  fromId: string,
  toId: string,
): Promise<void> {
  const restorable = await listRestorable(trx, ended, toId)
  await makeRoom(trx, moved, fromId, toId)
  for (const table of [...belongings, ...books]) {
    const ids = moved[table] ?? []
    if (ids.length === 0) continue
    await trx.updateTable(table).set({ organizationId: fromId }).where('id', 'in', ids).where('organizationId', '=', toId).execute()
  }
  await sql`UPDATE entitlements AS own SET revoked_at = NULL WHERE id = ANY(${restorable}::uuid[]) AND NOT EXISTS (
    SELECT FROM entitlements AS other WHERE other.organization_id = own.organization_id AND ${bothGrant})`.execute(trx)
  await sql`UPDATE product_requests AS own SET settled_at = NULL WHERE id = ANY(${settled}::uuid[]) AND NOT EXISTS (
    SELECT FROM product_requests AS other WHERE other.organization_id = own.organization_id AND ${bothAsk})`.execute(trx)
}

/** A purchase and a grant of staff can exist for the same dataset. */
const bothGrant = sql`other.product_id = own.product_id AND other.revoked_at IS NULL AND other.order_id IS NULL`
const bothAsk = sql`other.product_id = own.product_id AND other.settled_at IS NULL`

/** The ended grants of datasets that are still granted. */
async function listRestorable(trx: Trx, ended: string[], organizationId: string): Promise<string[]> {
  const rows = await queryRows(
    trx,
    { id: z.string() },
    sql`SELECT id FROM entitlements AS own WHERE id = ANY(${ended}::uuid[]) AND EXISTS (
      SELECT FROM entitlements AS other WHERE other.organization_id = ${organizationId} AND ${bothGrant})`,
  )
  return rows.map(({ id }) => id)
}

/** The other one may have been granted, or have asked for, the same again. Of two grants the later end counts, and of two requests the newer one. */
async function makeRoom(trx: Trx, { entitlements, productRequests }: Pick<Moved, Movable & keyof Moved>, fromId: string, toId: string) {
  const pairs = sql`own.revoked_at IS NULL AND own.order_id IS NULL AND ${bothGrant}`
  const isMoved = (grant: 'own' | 'other') =>
    sql`${sql.ref(`${grant}.id`)} = ANY(${entitlements}::uuid[]) AND ${sql.ref(`${grant}.organization_id`)} = ${toId}`
  await sql`UPDATE entitlements AS own SET revoked_at = now() FROM entitlements AS other WHERE ${isMoved('own')} AND other.organization_id = ${fromId}
    AND ${pairs} AND coalesce(other.expires_at, 'infinity') >= coalesce(own.expires_at, 'infinity')`.execute(trx)
  await sql`UPDATE entitlements AS own SET revoked_at = now() FROM entitlements AS other WHERE ${isMoved('other')} AND own.organization_id = ${fromId}
    AND ${pairs}`.execute(trx)
  await sql`UPDATE product_requests AS own SET settled_at = now() FROM product_requests AS other WHERE own.id = ANY(${productRequests}::uuid[])
    AND own.organization_id = ${toId} AND own.settled_at IS NULL AND other.organization_id = ${fromId} AND ${bothAsk}`.execute(trx)
}

/** Where both have a dataset, the grant that ends later counts. */
async function endShorterGrants(trx: Trx, fromId: string, toId: string): Promise<string[]> {
  const live = await trx
    .selectFrom('entitlements')
    .select(['id', 'productId', 'expiresAt'])
    .where('organizationId', 'in', [fromId, toId])
    .where('revokedAt', 'is', null)
    // What was bought lives beside the grants of staff.
    .where('orderId', 'is', null)
    .orderBy('id')
    .execute()
  const longest = new Map<string, { id: string; until: number }>()
  for (const { id, productId, expiresAt } of live) {
    const until = expiresAt?.getTime() ?? Infinity
    if (until > (longest.get(productId)?.until ?? -Infinity)) longest.set(productId, { id, until })
  }
  const ended = live.filter(({ id, productId }) => longest.get(productId)?.id !== id).map(({ id }) => id)
  if (ended.length > 0) await trx.updateTable('entitlements').set({ revokedAt: now }).where('id', 'in', ended).execute()
  return ended
}

async function settleDoubleRequests(trx: Trx, fromId: string, toId: string): Promise<string[]> {
  const rows = await trx
    .updateTable('productRequests')
    .set({ settledAt: now })
    .where('organizationId', '=', fromId)
    .where('settledAt', 'is', null)
    .where('productId', 'in', (of) =>
      of
        .selectFrom('productRequests as other')
        .select('other.productId')
        .where('other.organizationId', '=', toId)
        .where('other.settledAt', 'is', null),
    )
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}
