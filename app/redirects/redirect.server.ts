import { RuleSet } from '#app/redirect-engine/rule-set.server.ts'
import { insert, type Trx } from '#app/platform/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import { stop } from '#app/platform/stop.ts'
import { listPagePaths } from './pages.server.ts'
import { refuseProblems } from './problems.server.ts'
import type { Redirect, RedirectBody } from './redirect.ts'
import { changing, listRedirects, MOST_REDIRECTS, toRedirect } from './redirect-list.server.ts'
import type { SavedRedirect } from './redirect-request.ts'
import { refuseFields } from './refuse-fields.server.ts'

const none = () => stop('notFound', 'There is no such redirect.')

/** Adds a redirect at the end of the list. What `confirm` means is said at `redirectSave`. */
export async function createRedirect(body: RedirectBody, confirm?: boolean): Promise<SavedRedirect> {
  refuseFields(body)
  const pages = await listPagePaths()
  return changing(async (trx) => {
    const created = await addRedirect(trx, body)
    return { ...created, problems: await refuseProblems(await listRedirects(trx), created, pages, confirm) }
  })
}

async function addRedirect(trx: Trx, body: RedirectBody): Promise<Redirect> {
  const last = await trx
    .selectFrom('redirects')
    .select(({ fn }) => [fn.max('position').as('last'), fn.countAll<number>().as('count')])
    .executeTakeFirstOrThrow()
  if (last.count >= MOST_REDIRECTS) stop('conflict', `There are ${MOST_REDIRECTS} redirects, which is the most.`, { code: 'too_many' })
  const row = await insert(trx, 'redirects', { ...columnsOf(body), position: (last.last ?? 0) + 1 })
  const redirect = toRedirect(row)
  if (redirect.isActive) await forgetMissed(trx, redirect)
  return redirect
}

/** What was missed and leads somewhere now is not missed any more. */
async function forgetMissed(trx: Trx, redirect: Redirect) {
  const rule = new RuleSet([redirect], env.SITE_URL)
  const missed = await trx.selectFrom('missingPaths').select('path').execute()
  const found = missed.flatMap(({ path }) => (rule.find(path) ? path : []))
  if (found.length > 0) await trx.deleteFrom('missingPaths').where('path', 'in', found).execute()
}

export async function changeRedirect(id: string, body: RedirectBody, confirm?: boolean): Promise<SavedRedirect> {
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
    const isNew = !leadsAlike(toRedirect(before), changed)
    return { ...changed, problems: isNew ? await refuseProblems(await listRedirects(trx), changed, pages, confirm) : [] }
  })
}

/** Answers `false` when there is none. */
export async function deleteRedirect(id: string): Promise<boolean> {
  const { numDeletedRows } = await changing(async (trx) => trx.deleteFrom('redirects').where('id', '=', id).executeTakeFirst())
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
