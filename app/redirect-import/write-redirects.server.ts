import type { Trx } from '#app/platform/db.server.ts'
import { stop } from '#app/platform/stop.ts'
import type { Redirect, RedirectBody } from '#app/redirects/redirect.ts'

/** Rows of one statement: PostgreSQL takes 65,535 values at once. */
const BATCH = 2_000

type Written = {
  /** The list that the rules were held against. */ known: readonly Redirect[]
  /** The list as it is now. */ now: readonly Redirect[]
  replace: boolean
}

/** Writes rules in their order behind the list, or in its place. A list that has changed since it was looked at is a conflict. */
export async function writeRedirects(
  trx: Trx,
  rules: readonly (RedirectBody & { id: string })[],
  { known, now, replace }: Written,
): Promise<void> {
  if (meaningOf(now) !== meaningOf(known)) {
    stop('conflict', 'The list has changed meanwhile. Look at the import again.', { code: 'list_changed' })
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
    // What leads on is missed no more.
    const paths = batch.flatMap(({ kind, fromPath }) => (kind === 'exact' ? [fromPath] : []))
    if (paths.length > 0) await trx.deleteFrom('missingPaths').where('path', 'in', paths).execute()
  }
}

/** Hits come and go; these decide what an import may do. */
function meaningOf(list: readonly Redirect[]): string {
  return JSON.stringify(list.map(({ hits: _hits, lastHitAt: _lastHitAt, ...redirect }) => redirect))
}
