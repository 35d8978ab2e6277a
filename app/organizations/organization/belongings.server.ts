import type { Trx } from '#app/platform/database/db.server.ts'
import { now } from '#app/platform/database/sql.server.ts'

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

/** Moves back what is still where it was moved to. What was granted, asked or made there since stays there. */
export async function moveBack(
  trx: Trx,
  { ended, settled, ...moved }: Moved & Partial<MovedBooks>,
  fromId: string,
  toId: string,
): Promise<void> {
  for (const table of [...belongings, ...books]) {
    const ids = moved[table] ?? []
    if (ids.length === 0) continue
    await trx.updateTable(table).set({ organizationId: fromId }).where('id', 'in', ids).where('organizationId', '=', toId).execute()
  }
  if (ended.length > 0) await trx.updateTable('entitlements').set({ revokedAt: null }).where('id', 'in', ended).execute()
  if (settled.length > 0) await trx.updateTable('productRequests').set({ settledAt: null }).where('id', 'in', settled).execute()
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
