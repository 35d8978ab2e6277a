import type { Trx } from '#app/platform/database/db.server.ts'
import { stop } from '#app/platform/stop.ts'
import type { Redirect, RedirectBody } from '#app/redirects/rules/redirect.ts'

/** Rows per statement: PostgreSQL takes 65,535 parameters at most. */
const BATCH = 2_000

type Written = {
  /** The list that the rules were checked against. */ known: readonly Redirect[]
  /** The current list. */ now: readonly Redirect[]
  replace: boolean
}

/** Appends the rules in their order, or replaces the list. Stops with a conflict when the list has changed since the check. */
export async function writeRedirects(
  trx: Trx,
  rules: readonly (RedirectBody & { id: string })[],
  { known, now, replace }: Written,
): Promise<void> {
  if (meaningOf(now) !== meaningOf(known)) {
    stop('conflict', 'The list has changed in the meantime. Preview the import again.', { code: 'list_changed' })
  }
  if (replace) await trx.deleteFrom('redirects').execute()
  await add(trx, rules, replace ? 0 : (now.at(-1)?.position ?? 0))
}

async function add(trx: Trx, rules: readonly (RedirectBody & { id: string })[], last: number) {
  for (let at = 0; at < rules.length; at += BATCH) {
    const batch = rules.slice(at, at + BATCH)
    await trx
      .insertInto('redirects')
      .values(
        batch.map(({ description, ...rule }, index) => ({ ...rule, description: description || null, position: last + at + index + 1 })),
      )
      .execute()
    // Paths that now redirect leave the not found log.
    const paths = batch.flatMap(({ kind, fromPath }) => (kind === 'exact' ? [fromPath] : []))
    if (paths.length > 0) await trx.deleteFrom('missingPaths').where('path', 'in', paths).execute()
  }
}

/** Without hits, which change all the time: only the fields that an import depends on. */
function meaningOf(list: readonly Redirect[]): string {
  return JSON.stringify(list.map(({ hits: _hits, lastHitAt: _lastHitAt, ...redirect }) => redirect))
}
