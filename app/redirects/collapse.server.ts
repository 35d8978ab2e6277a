import { endOfChain } from '#app/redirect-engine/collapse.server.ts'
import { env } from '#app/platform/env.server.ts'
import { stop } from '#app/platform/stop.ts'
import type { Redirect } from './redirect.ts'
import { changing, listRedirects, toRedirect } from './redirect-list.server.ts'

/** Makes a redirect lead at once to where others would lead on from it. */
export async function collapseChain(id: string): Promise<Redirect> {
  return changing(async (trx) => {
    const rules = (await listRedirects(trx)).filter(({ isActive }) => isActive)
    const rule = rules.find((redirect) => redirect.id === id) ?? stop('notFound', 'There is no such redirect.')
    const toPath = endOfChain(rules, rule, env.SITE_URL) ?? stop('conflict', 'This one cannot be made shorter.', { code: 'no_chain' })
    const changed = { toPath, updatedAt: new Date() }
    return toRedirect(await trx.updateTable('redirects').set(changed).where('id', '=', id).returningAll().executeTakeFirstOrThrow())
  })
}
