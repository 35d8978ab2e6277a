import { RuleSet } from '#app/redirects/engine/rule-set.server.ts'
import { insert, type Trx } from '#app/platform/database/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import { stop } from '#app/platform/stop.ts'
import { listPagePaths } from './pages.server.ts'
import { stopOnProblems } from './problems.server.ts'
import type { Redirect, RedirectBody } from './redirect.ts'
import { changeRedirects, listRedirects, MOST_REDIRECTS, toRedirect } from './redirect-list.server.ts'
import type { SavedRedirect } from './redirect-request.ts'
import { refuseFields } from './refuse-fields.server.ts'
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
  if (redirect.isActive) await forgetMissed(trx, redirect)
  return redirect
}

/** A path that redirects now leaves the not found log. */
async function forgetMissed(trx: Trx, redirect: Redirect) {
  const rule = new RuleSet([redirect], env.SITE_URL)
  const missed = await trx.selectFrom('missingPaths').select('path').execute()
  const found = missed.flatMap(({ path }) => (rule.find(path) ? path : []))
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
    return { ...changed, problems: isNew ? await stopOnProblems(await listRedirects(trx), changed, pages, confirm) : [] }
  })
}

/** Returns `false` when the redirect does not exist. */
export async function deleteRedirect(id: string): Promise<boolean> {
  const { numDeletedRows } = await changeRedirects(async (trx) => trx.deleteFrom('redirects').where('id', '=', id).executeTakeFirst())
  return numDeletedRows > 0n
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
