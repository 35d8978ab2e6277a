import { type RawBuilder, sql } from 'kysely'
import { listPagePaths } from '#app/redirects/rules/pages.server.ts'
import { db, transaction } from '#app/platform/database/db.server.ts'
import { condition, rowCount } from '#app/platform/database/sql.server.ts'
import { requireMatches } from '#app/platform/tables/matches.server.ts'
import type { Row } from '#db/tables.ts'
import type { NotFoundBulk, NotFoundEntry, NotFoundFilter, NotFoundQuery } from './not-found.ts'

const visitors: Record<NotFoundQuery['visitors'], RawBuilder<boolean>> = {
  all: sql`true`,
  people: sql`hits > bot_hits`,
  bots: sql`bot_hits > 0`,
}

/** Sorting by hits follows the filter by visitors. */
const orders: Record<NotFoundQuery['sort'], (visitors: NotFoundQuery['visitors']) => RawBuilder<unknown>> = {
  hits: (by) => (by === 'people' ? sql`hits - bot_hits DESC, path` : by === 'bots' ? sql`bot_hits DESC, path` : sql`hits DESC, path`),
  lastSeenAt: () => sql`last_seen_at DESC, path`,
  path: () => sql`path`,
}

/** One page of the log, with a suggested page for each path. */
export async function listNotFound(query: NotFoundQuery): Promise<{ items: NotFoundEntry[]; total: number }> {
  const { sort, offset, limit } = query
  const listed = db.selectFrom('missingPaths').where(matching(query))
  const [rows, { total }, pages] = await Promise.all([
    listed.selectAll().orderBy(orders[sort](query.visitors)).limit(limit).offset(offset).execute(),
    listed.select(rowCount.as('total')).executeTakeFirstOrThrow(),
    listPagePaths(),
  ])
  const suggestions = new Suggestions(pages)
  return { items: rows.map((row) => toMissingPath(row, suggestions)), total }
}

const matching = ({ visitors: by, ignored }: NotFoundFilter) =>
  condition`${visitors[by]} AND (ignored_at IS NOT NULL) = ${ignored === 'true'}`

/** Ignores paths, shows them again or deletes them. Returns those that changed. */
export async function changeNotFound({ choice, change }: NotFoundBulk): Promise<string[]> {
  return transaction(async (trx) => {
    const chosen = 'ids' in choice ? condition`path = ANY(${choice.ids}::text[])` : matching(choice.filter)
    const rows =
      change === 'delete'
        ? await trx.deleteFrom('missingPaths').where(chosen).returning('path').execute()
        : await trx
            .updateTable('missingPaths')
            .set({ ignoredAt: change === 'ignore' ? new Date() : null })
            .where(chosen)
            .returning('path')
            .execute()
    if ('count' in choice) requireMatches(rows.length, choice.count, ['path', 'paths'])
    return rows.map(({ path }) => path)
  })
}

/** Hides a path from the list, or shows it again. Returns `false` when the path is unknown. */
export async function ignoreNotFound(path: string, isIgnored: boolean): Promise<boolean> {
  const marked = db.updateTable('missingPaths').set({ ignoredAt: isIgnored ? new Date() : null })
  return (await marked.where('path', '=', path).executeTakeFirst()).numUpdatedRows > 0n
}

/** Deletes one path, or all of them. */
export async function deleteNotFound(path?: string): Promise<void> {
  const forgotten = db.deleteFrom('missingPaths')
  await (path === undefined ? forgotten : forgotten.where('path', '=', path)).execute()
}

function toMissingPath({ firstSeenAt, lastSeenAt, ignoredAt, ...row }: Row<'missingPaths'>, suggestions: Suggestions): NotFoundEntry {
  return {
    ...row,
    firstSeenAt: firstSeenAt.toISOString(),
    lastSeenAt: lastSeenAt.toISOString(),
    ignoredAt: ignoredAt?.toISOString() ?? null,
    // A shortened path has no suggestion.
    suggestion: row.path.includes('…') ? null : suggestions.closest(row.path),
  }
}

/** Minimum share of common trigrams. */
const LEAST_ALIKE = 0.4

/** Finds the most similar of many paths. */
class Suggestions {
  #sizes = new Map<string, number>()
  #holders = new Map<string, string[]>()

  constructor(paths: Iterable<string>) {
    for (const path of new Set(paths)) {
      const parts = partsOf(path)
      this.#sizes.set(path, parts.size)
      for (const part of parts) {
        const holders = this.#holders.get(part)
        if (holders) holders.push(path)
        else this.#holders.set(part, [path])
      }
    }
  }

  closest(path: string): string | null {
    const parts = partsOf(path)
    const shared = new Map<string, number>()
    for (const part of parts) for (const holder of this.#holders.get(part) ?? []) shared.set(holder, (shared.get(holder) ?? 0) + 1)
    let [best, most]: [string | null, number] = [null, LEAST_ALIKE]
    for (const [holder, count] of shared) {
      const alike = (2 * count) / (parts.size + (this.#sizes.get(holder) ?? 0))
      if (alike > most) [best, most] = [holder, alike]
    }
    return best
  }
}

/** Trigrams of a path, without case, file extension and punctuation. */
function partsOf(path: string): Set<string> {
  const text = ` ${path
    .toLowerCase()
    .replace(/\.(html?|php|aspx?|jsp)$/, '')
    .replace(/\/index$/, '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `
  const parts = new Set<string>()
  for (let at = 0; at + 3 <= text.length; at += 1) parts.add(text.slice(at, at + 3))
  return parts
}
