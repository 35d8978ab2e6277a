import { type RawBuilder, sql } from 'kysely'
import { listPagePaths } from '#app/redirects/pages.server.ts'
import { db } from '#app/platform/db.server.ts'
import type { Row } from '#db/tables.ts'
import type { MissingPath, MissingPathQuery } from './missing-path.ts'
import { Suggestions } from './suggestion.ts'

const visitors: Record<MissingPathQuery['visitors'], RawBuilder<boolean>> = {
  all: sql`true`,
  people: sql`hits > bot_hits`,
  bots: sql`bot_hits > 0`,
}

/** What counts is who asked: the order by hits is by those that are shown. */
const orders: Record<MissingPathQuery['sort'], (visitors: MissingPathQuery['visitors']) => RawBuilder<unknown>> = {
  hits: (by) => (by === 'people' ? sql`hits - bot_hits DESC, path` : by === 'bots' ? sql`bot_hits DESC, path` : sql`hits DESC, path`),
  lastSeenAt: () => sql`last_seen_at DESC, path`,
  path: () => sql`path`,
}

/** One page of the paths at which there was nothing, with the page of ours that each may have meant. */
export async function listMissingPaths(query: MissingPathQuery): Promise<{ items: MissingPath[]; total: number }> {
  const { sort, offset, limit } = query
  const listed = sql`FROM missing_paths WHERE ${visitors[query.visitors]} AND (ignored_at IS NOT NULL) = ${query.ignored === 'true'}`
  const [{ rows }, counted, pages] = await Promise.all([
    sql<Row<'missingPaths'>>`SELECT * ${listed} ORDER BY ${orders[sort](query.visitors)} LIMIT ${limit} OFFSET ${offset}`.execute(db),
    sql<{ total: number }>`SELECT count(*) AS total ${listed}`.execute(db),
    listPagePaths(),
  ])
  const suggestions = new Suggestions(pages)
  return { items: rows.map((row) => toMissingPath(row, suggestions)), total: counted.rows[0]?.total ?? 0 }
}

/** Says that nothing is to be done about a path, or that something is after all. Answers `false` when it is not known. */
export async function markMissingPath(path: string, isIgnored: boolean): Promise<boolean> {
  const marked = db.updateTable('missingPaths').set({ ignoredAt: isIgnored ? new Date() : null })
  return (await marked.where('path', '=', path).executeTakeFirst()).numUpdatedRows > 0n
}

/** Forgets one path, or all of them. */
export async function forgetMissingPaths(path?: string): Promise<void> {
  const forgotten = db.deleteFrom('missingPaths')
  await (path === undefined ? forgotten : forgotten.where('path', '=', path)).execute()
}

function toMissingPath({ firstSeenAt, lastSeenAt, ignoredAt, ...row }: Row<'missingPaths'>, suggestions: Suggestions): MissingPath {
  return {
    ...row,
    firstSeenAt: firstSeenAt.toISOString(),
    lastSeenAt: lastSeenAt.toISOString(),
    ignoredAt: ignoredAt?.toISOString() ?? null,
    // What was left out of a path leads nowhere.
    suggestion: row.path.includes('…') ? null : suggestions.closest(row.path),
  }
}
