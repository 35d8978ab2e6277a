import type { z } from 'zod/mini'
import type { Rule } from '#app/redirects/engine/rule.ts'
import { RuleSet } from '#app/redirects/engine/rule-set.server.ts'
import { insert, type Trx } from '#app/platform/database/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import type { Row } from '#db/tables.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { listPagePaths } from './pages.server.ts'
import { refuseNewCircles, stopOnProblems } from './problems.server.ts'
import type { Redirect, RedirectBody } from './redirect.ts'
import { changeRedirects, listRedirects, MOST_REDIRECTS, toRedirect } from './redirect-list.server.ts'
import type { redirectBulk, SavedRedirect } from './redirect-request.ts'
import { refuseFields } from './check.server.ts'
import { endOfChain } from '#app/redirects/engine/collapse.server.ts'

const none = () => stop('notFound', 'Redirect not found.')

/** Appends a redirect. See `redirectSave` for `confirm`. */
export async function createRedirect(body: RedirectBody, confirm?: boolean): Promise<SavedRedirect> {
  refuseFields(body)
  const pages = await listPagePaths()
  return changeRedirects(async (trx) => {
    const created = await addRedirect(trx, body)
    return { ...created, problems: await stopOnProblems(await listRedirects(trx), created, pages, confirm) }
  })
}

async function addRedirect(trx: Trx, body: RedirectBody): Promise<Redirect> {
  const last = await trx
    .selectFrom('redirects')
    .select(({ fn }) => [fn.max('position').as('last'), fn.countAll<number>().as('count')])
    .executeTakeFirstOrThrow()
  if (last.count >= MOST_REDIRECTS)
    stop('conflict', `You have ${MOST_REDIRECTS} redirects, which is the limit. Delete some first.`, { code: 'too_many' })
  const row = await insert(trx, 'redirects', { ...columnsOf(body), position: (last.last ?? 0) + 1 })
  const redirect = toRedirect(row)
  await forgetMissed(trx, [redirect])
  return redirect
}

/** Paths that redirect now leave the not found log. */
export async function forgetMissed(trx: Trx, redirects: readonly (Rule & { isActive: boolean })[]) {
  const active = redirects.filter(({ isActive }) => isActive)
  if (active.length === 0) return
  const rules = new RuleSet(active, env.SITE_URL)
  const missed = await trx.selectFrom('missingPaths').select('path').execute()
  const found = missed.flatMap(({ path }) => (rules.find(path) ? path : []))
  if (found.length > 0) await trx.deleteFrom('missingPaths').where('path', 'in', found).execute()
}

export async function changeRedirect(id: string, body: RedirectBody, confirm?: boolean): Promise<SavedRedirect> {
  refuseFields(body)
  const pages = await listPagePaths()
  return changeRedirects(async (trx) => {
    const before = (await trx.selectFrom('redirects').selectAll().where('id', '=', id).executeTakeFirst()) ?? none()
    const row = await trx
      .updateTable('redirects')
      .set({ ...columnsOf(body), updatedAt: new Date() })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
    const changed = toRedirect(row)
    const isNew = !leadsAlike(toRedirect(before), changed)
    if (isNew) await forgetMissed(trx, [changed])
    return { ...changed, problems: isNew ? await stopOnProblems(await listRedirects(trx), changed, pages, confirm) : [] }
  })
}

/** Changes several redirects at once, or none. Returns the ids of those that were changed. */
export async function changeMany({ ids, change }: z.infer<typeof redirectBulk>): Promise<string[]> {
  return changeRedirects(async (trx) => {
    if (change === 'delete') return removeRedirects(trx, ids)
    const before = await listRedirects(trx)
    const isActive = change === 'activate'
    const changed = await trx
      .updateTable('redirects')
      .set({ isActive, updatedAt: new Date() })
      .where('id', 'in', ids)
      .where('isActive', '<>', isActive)
      .returningAll()
      .execute()
    if (isActive) {
      await refuseNewCircles(before, await listRedirects(trx))
      await forgetMissed(trx, changed)
    }
    return inOrder(ids, changed)
  })
}

/** Returns `false` when the redirect does not exist. */
export async function deleteRedirect(id: string): Promise<boolean> {
  return (await changeRedirects(async (trx) => removeRedirects(trx, [id]))).length > 0
}

/** How long a deleted redirect can be restored. Later, the next deletion erases it. */
const RESTORABLE_MS = 60 * 60 * 1000

const columns = [
  ...(['id', 'position', 'fromPath', 'toPath', 'statusCode', 'isActive', 'description', 'kind', 'query'] as const),
  ...(['ignoresSlash', 'ignoresCase', 'hits', 'lastHitAt', 'createdAt', 'updatedAt'] as const),
]

/** Deletes redirects, and keeps them for `restoreRedirects`. */
export async function removeRedirects(trx: Trx, ids: readonly string[]): Promise<string[]> {
  const isOld = new Date(Date.now() - RESTORABLE_MS)
  await trx.deleteFrom('deletedRedirects').where('deletedAt', '<', isOld).execute()
  await trx
    .insertInto('deletedRedirects')
    .columns([...columns])
    .expression(trx.selectFrom('redirects').select(columns).where('id', 'in', ids))
    .execute()
  const removed = await trx.deleteFrom('redirects').where('id', 'in', ids).returning('id').execute()
  return inOrder(ids, removed)
}

function inOrder(ids: readonly string[], rows: readonly { id: string }[]): string[] {
  const found = new Set(rows.map(({ id }) => id))
  return ids.filter((id) => found.has(id))
}

/** Inserts deleted redirects again, all or none, with their ids, positions and hits. Other redirects make room. */
export async function restoreRedirects(ids: readonly string[]): Promise<string[]> {
  return changeRedirects(async (trx) => {
    const before = await listRedirects(trx)
    const since = new Date(Date.now() - RESTORABLE_MS)
    const rows = await trx
      .deleteFrom('deletedRedirects')
      .where('id', 'in', ids)
      .where('deletedAt', '>=', since)
      .returning(columns)
      .execute()
    if (rows.length < new Set(ids).size) stop('conflict', 'It is too late to undo this.', { code: 'too_late' })
    if (before.length + rows.length > MOST_REDIRECTS)
      stop('conflict', `You have ${MOST_REDIRECTS} redirects, which is the limit. Delete some first.`, { code: 'too_many' })
    await insertAgain(trx, rows, before)
    await refuseNewCircles(before, await listRedirects(trx))
    await forgetMissed(trx, rows)
    return inOrder(ids, rows)
  })
}

async function insertAgain(trx: Trx, rows: readonly RedirectRow[], before: readonly Redirect[]): Promise<void> {
  let taken = new Set(before.map(({ position }) => position))
  for (const row of rows.toSorted((one, other) => one.position - other.position)) {
    if (taken.has(row.position)) {
      await trx
        .updateTable('redirects')
        .set(({ eb }) => ({ position: eb('position', '+', 1) }))
        .where('position', '>=', row.position)
        .execute()
      taken = new Set([...taken].map((position) => (position >= row.position ? position + 1 : position)))
    }
    await trx.insertInto('redirects').values(row).execute()
    taken.add(row.position)
  }
}

type RedirectRow = Row<'redirects'>

/** Inserts the redirect of a path that was deleted since a moment, under the lock of the list, unless the path has another one by now. */
export async function restoreRedirectOf(trx: Trx, fromPath: string, since: Date): Promise<void> {
  const before = await listRedirects(trx)
  if (before.some((redirect) => redirect.fromPath === fromPath) || before.length >= MOST_REDIRECTS) return
  const deleted = trx.selectFrom('deletedRedirects').select('id').where('fromPath', '=', fromPath).where('deletedAt', '>=', since)
  const last = deleted.orderBy('deletedAt', 'desc').limit(1)
  const rows = await trx.deleteFrom('deletedRedirects').where('id', 'in', last).returning(columns).execute()
  await insertAgain(trx, rows, before)
}

function leadsAlike(one: Redirect, other: Redirect): boolean {
  const keys = ['fromPath', 'toPath', 'kind', 'query', 'ignoresSlash', 'ignoresCase', 'isActive'] as const
  return keys.every((key) => one[key] === other[key])
}

function columnsOf({ description, ...body }: RedirectBody) {
  const { fromPath, toPath, statusCode, isActive, kind, query, ignoresSlash, ignoresCase } = body
  return { fromPath, toPath, statusCode, isActive, kind, query, ignoresSlash, ignoresCase, description: description || null }
}

/** Points a redirect straight at the end of its chain. */
export async function collapseChain(id: string): Promise<Redirect> {
  return changeRedirects(async (trx) => {
    const rules = (await listRedirects(trx)).filter(({ isActive }) => isActive)
    const rule = rules.find((redirect) => redirect.id === id) ?? stop('notFound', 'Redirect not found.')
    const toPath =
      endOfChain(rules, rule, env.SITE_URL) ??
      stop('conflict', 'This redirect is not part of a chain that can be collapsed.', { code: 'no_chain' })
    const changed = { toPath, updatedAt: new Date() }
    return toRedirect(await trx.updateTable('redirects').set(changed).where('id', '=', id).returningAll().executeTakeFirstOrThrow())
  })
}
