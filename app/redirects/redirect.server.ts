import { sql } from 'kysely'
import { refuseRule } from '#app/redirect-engine/rule-check.server.ts'
import { afterCommit, type Database, db, insert, transaction, type Trx } from '#app/platform/db.server.ts'
import { log } from '#app/platform/log.server.ts'
import { stop } from '#app/platform/stop.ts'
import type { Row } from '#db/tables.ts'
import { listPagePaths } from './pages.server.ts'
import { refuseProblems } from './problems.server.ts'
import type { Redirect, RedirectBody } from './redirect.ts'
import { redirectsChanged } from './rules.server.ts'

/** The engine answers fast with as many, and a list of more is a matter for a map of its own. */
export const MOST_REDIRECTS = 20_000
/** Whoever changes the list holds this advisory lock, so that two changes at once come one after the other. */
const LIST_LOCK = 1_467_511_418

const none = () => stop('notFound', 'There is no such redirect.')

/** All of them in the order in which they are tried. */
export async function listRedirects(connection: Database | Trx = db): Promise<Redirect[]> {
  const rows = await connection.selectFrom('redirects').selectAll().orderBy('position').limit(MOST_REDIRECTS).execute()
  return rows.map(toRedirect)
}

/** Adds a redirect at the end of the list. `isConfirmed` is that someone has seen what may be wrong with it. */
export async function createRedirect(body: RedirectBody, isConfirmed: boolean): Promise<Redirect> {
  refuseFields(body)
  const pages = await listPagePaths()
  return changing(async (trx) => {
    const created = await addRedirect(trx, body)
    refuseProblems(await listRedirects(trx), created, pages, isConfirmed)
    return created
  })
}

/**
 * Adds a redirect at the end of the list as part of other work, such as a slug that changes; the engine learns of it once that is kept.
 * What the path was missed for is forgotten.
 */
export async function addRedirect(trx: Trx, body: RedirectBody): Promise<Redirect> {
  await takeList(trx)
  const last = await trx
    .selectFrom('redirects')
    .select(({ fn }) => [fn.max('position').as('last'), fn.countAll<number>().as('count')])
    .executeTakeFirstOrThrow()
  if (last.count >= MOST_REDIRECTS) stop('conflict', `There are ${MOST_REDIRECTS} redirects, which is the most.`, { code: 'too_many' })
  const row = await insert(trx, 'redirects', { ...columnsOf(body), position: (last.last ?? 0) + 1 })
  if (body.kind === 'exact') await trx.deleteFrom('missingPaths').where('path', '=', body.fromPath).execute()
  announceAfterCommit()
  return toRedirect(row)
}

export async function changeRedirect(id: string, body: RedirectBody, isConfirmed: boolean): Promise<Redirect> {
  refuseFields(body)
  const pages = await listPagePaths()
  return changing(async (trx) => {
    const before = (await trx.selectFrom('redirects').selectAll().where('id', '=', id).executeTakeFirst()) ?? none()
    const row = await trx
      .updateTable('redirects')
      .set({ ...columnsOf(body), updatedAt: new Date() })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
    const changed = toRedirect(row)
    if (!leadsAlike(toRedirect(before), changed)) refuseProblems(await listRedirects(trx), changed, pages, isConfirmed)
    return changed
  })
}

/** Answers `false` when there is none. */
export async function deleteRedirect(id: string): Promise<boolean> {
  const { numDeletedRows } = await changing(async (trx) => trx.deleteFrom('redirects').where('id', '=', id).executeTakeFirst())
  return numDeletedRows > 0n
}

/** Runs one change of the list, alone, and has every process know of it. Here it holds when this answers. */
export async function changing<T>(change: (trx: Trx) => Promise<T>): Promise<T> {
  const answer = await transaction(async (trx) => {
    await takeList(trx)
    return change(trx)
  })
  await redirectsChanged()
  return answer
}

async function takeList(trx: Trx) {
  await sql`SELECT pg_advisory_xact_lock(${LIST_LOCK})`.execute(trx)
}

function announceAfterCommit() {
  afterCommit(() => void redirectsChanged().catch((error: unknown) => log.warn({ err: error }, 'redirects were not announced')))
}

/** Stops with what the engine cannot work with. */
export function refuseFields(body: RedirectBody): void {
  const errors = refuseRule({ id: '', ...body })
  const [sentence] = Object.values(errors)
  if (sentence !== undefined) stop('unprocessable', sentence, { code: 'validation_failed', errors })
}

function leadsAlike(one: Redirect, other: Redirect): boolean {
  const keys = ['fromPath', 'toPath', 'kind', 'query', 'ignoresSlash', 'ignoresCase', 'isActive'] as const
  return keys.every((key) => one[key] === other[key])
}

function columnsOf({ description, ...body }: RedirectBody) {
  const { fromPath, toPath, statusCode, isActive, kind, query, ignoresSlash, ignoresCase } = body
  return { fromPath, toPath, statusCode, isActive, kind, query, ignoresSlash, ignoresCase, description: description || null }
}

export function toRedirect({ createdAt, lastHitAt, ...row }: Row<'redirects'>): Redirect {
  return { ...row, lastHitAt: lastHitAt?.toISOString() ?? null, createdAt: createdAt.toISOString() }
}
