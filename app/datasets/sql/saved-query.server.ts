import { sql } from 'kysely'
import { db, insert, transaction, type Trx } from '#app/platform/database/db.server.ts'
import { breaks } from '#app/platform/database/database-error.ts'
import { rowCount } from '#app/platform/database/sql.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import type { Row } from '#db/tables.ts'
import {
  PAST_QUERIES_MAX,
  type PastQuery,
  type SavedQuery,
  type SavedQueryBody,
  type SavedQueryChange,
  SAVED_QUERIES_MAX,
} from './saved-query.ts'

/** A person's own queries by name, then those that staff share, if they may be seen. */
export async function listSavedQueries(productId: string, userId: string, { shared }: { shared: boolean }): Promise<SavedQuery[]> {
  const rows = await db
    .selectFrom('savedQueries')
    .selectAll()
    .where('productId', '=', productId)
    .where((row) => row.or([row('userId', '=', userId), ...(shared ? [row('isShared', '=', true)] : [])]))
    .orderBy(sql`user_id = ${userId}`, 'desc')
    .orderBy(sql`lower(name)`)
    .orderBy('id')
    .execute()
  return rows.map((row) => toSavedQuery(row, userId))
}

export async function saveQuery(productId: string, userId: string, body: SavedQueryBody): Promise<SavedQuery> {
  return orNameTaken(async () =>
    transaction(async (trx) => {
      const own = trx.selectFrom('savedQueries').where('userId', '=', userId).where('productId', '=', productId)
      const { count } = await own.select(rowCount.as('count')).executeTakeFirstOrThrow()
      if (count >= SAVED_QUERIES_MAX) {
        stop('conflict', `You have ${SAVED_QUERIES_MAX} saved queries for this dataset. Delete one first.`, { code: 'too_many' })
      }
      return toSavedQuery(await insert(trx, 'savedQueries', { productId, userId, ...body }), userId)
    }),
  )
}

/** Whether a person shares this query, which is theirs. */
export async function isSharedBy(id: string, userId: string): Promise<boolean> {
  const own = db.selectFrom('savedQueries').select('isShared').where('id', '=', id).where('userId', '=', userId)
  return (await own.executeTakeFirst())?.isShared === true
}

/** `undefined` for a query that is not theirs. */
export async function changeSavedQuery(id: string, userId: string, change: SavedQueryChange): Promise<SavedQuery | undefined> {
  const changed = await orNameTaken(async () =>
    db
      .updateTable('savedQueries')
      .set({ ...change, updatedAt: new Date() })
      .where('id', '=', id)
      .where('userId', '=', userId)
      .returningAll()
      .executeTakeFirst(),
  )
  return changed && toSavedQuery(changed, userId)
}

/** Returns the deleted query, so that an undo can save it again. */
export async function removeSavedQuery(id: string, userId: string): Promise<SavedQuery | undefined> {
  const removed = await db.deleteFrom('savedQueries').where('id', '=', id).where('userId', '=', userId).returningAll().executeTakeFirst()
  return removed && toSavedQuery(removed, userId)
}

async function orNameTaken<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!breaks(error, 'saved_queries_name_key')) throw error
    const sentence = 'You have a query of this name.'
    return stop('conflict', sentence, { code: 'name_taken', errors: { name: sentence } })
  }
}

function toSavedQuery({ id, name, sql: text, isShared, userId }: Row<'savedQueries'>, viewerId: string): SavedQuery {
  return { id, name, sql: text, isShared, isOwn: userId === viewerId }
}

/** What a person asked a dataset last. */
export async function listPastQueries(productId: string, userId: string): Promise<PastQuery[]> {
  const rows = await db
    .selectFrom('pastQueries')
    .select(['sql', 'askedAt'])
    .where('productId', '=', productId)
    .where('userId', '=', userId)
    .orderBy('askedAt', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows.map(({ sql: text, askedAt }) => ({ sql: text, askedAt: askedAt.toISOString() }))
}

/** A repeated query moves up. */
export async function rememberQuery(productId: string, userId: string, text: string): Promise<void> {
  await transaction(async (trx) => {
    const same = trx.deleteFrom('pastQueries').where('userId', '=', userId).where('productId', '=', productId)
    await same.where('sql', '=', text).execute()
    await insert(trx, 'pastQueries', { productId, userId, sql: text })
    await forgetOldest(trx, userId)
  })
}

async function forgetOldest(trx: Trx, userId: string): Promise<void> {
  const newest = trx
    .selectFrom('pastQueries')
    .select('id')
    .where('userId', '=', userId)
    .orderBy('askedAt', 'desc')
    .orderBy('id', 'desc')
    .limit(PAST_QUERIES_MAX)
  await trx.deleteFrom('pastQueries').where('userId', '=', userId).where('id', 'not in', newest).execute()
}

export async function forgetPastQueries(productId: string, userId: string): Promise<void> {
  await db.deleteFrom('pastQueries').where('productId', '=', productId).where('userId', '=', userId).execute()
}
