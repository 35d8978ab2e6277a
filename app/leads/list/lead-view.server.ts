import { breaks } from '#app/platform/database/database-error.ts'
import { db, insert } from '#app/platform/database/db.server.ts'
import { rowCount } from '#app/platform/database/sql.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import type { Row } from '#db/tables.ts'
import { defaultLeadColumns, deskColumns, type LeadView, type LeadViewBody } from '#app/leads/lead/desk.ts'

const MOST_VIEWS = 100

/** The person's own views and those that others share, by name. */
export async function listLeadViews(userId: string): Promise<LeadView[]> {
  const rows = await db
    .selectFrom('leadViews')
    .selectAll()
    .where((row) => row.or([row('userId', '=', userId), row('isShared', '=', true)]))
    .orderBy('name')
    .orderBy('id')
    .limit(MOST_VIEWS * 5)
    .execute()
  return rows.map((row) => toView(row, userId))
}

export async function addLeadView(userId: string, body: LeadViewBody): Promise<LeadView> {
  const { count } = await db.selectFrom('leadViews').select(rowCount.as('count')).where('userId', '=', userId).executeTakeFirstOrThrow()
  if (count >= MOST_VIEWS) stop('conflict', `You have ${MOST_VIEWS} views. Delete one first.`)
  return unlessTaken(async () => toView(await insert(db, 'leadViews', { ...body, userId }), userId))
}

/** Changes an own view. Returns `undefined` for another person's. */
export async function changeLeadView(id: string, userId: string, body: LeadViewBody): Promise<LeadView | undefined> {
  return unlessTaken(async () => {
    const row = await db
      .updateTable('leadViews')
      .set(body)
      .where('id', '=', id)
      .where('userId', '=', userId)
      .returningAll()
      .executeTakeFirst()
    return row && toView(row, userId)
  })
}

export async function removeLeadView(id: string, userId: string): Promise<LeadView | undefined> {
  const row = await db.deleteFrom('leadViews').where('id', '=', id).where('userId', '=', userId).returningAll().executeTakeFirst()
  return row && toView(row, userId)
}

async function unlessTaken<Saved>(save: () => Promise<Saved>): Promise<Saved> {
  try {
    return await save()
  } catch (error) {
    if (!breaks(error, 'lead_views_name_key')) throw error
    const sentence = 'One of your views has this name.'
    return stop('conflict', sentence, { code: 'name_taken', errors: { name: sentence } })
  }
}

function toView({ id, name, query, isShared, userId: owner }: Row<'leadViews'>, userId: string): LeadView {
  return { id, name, query, isShared, isOwn: owner === userId }
}

/** The columns of a person's table, in their order. */
export async function readLeadColumns(userId: string): Promise<string[]> {
  const row = await db.selectFrom('leadColumns').select('columns').where('userId', '=', userId).executeTakeFirst()
  if (!row) return [...defaultLeadColumns]
  // A column may be gone since.
  return row.columns.filter((key) => deskColumns.some((known) => known.key === key))
}

export async function saveLeadColumns(userId: string, columns: readonly string[]): Promise<string[]> {
  const row = { columns: [...new Set(columns)], updatedAt: new Date() }
  await db
    .insertInto('leadColumns')
    .values({ userId, ...row })
    .onConflict((conflict) => conflict.column('userId').doUpdateSet(row))
    .execute()
  return row.columns
}
