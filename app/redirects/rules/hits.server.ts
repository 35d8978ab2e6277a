import { sql } from 'kysely'
import { db } from '#app/platform/database/db.server.ts'
import { BatchedWrites } from '#app/platform/database/batched-writes.server.ts'
import { MOST_REDIRECTS } from './redirect-list.server.ts'

type Hits = { count: number; last: Date }

const hits = new BatchedWrites<Hits>(
  MOST_REDIRECTS,
  (one, other) => ({ count: one.count + other.count, last: one.last > other.last ? one.last : other.last }),
  writeHits,
)

export function countHits(ids: readonly string[]): void {
  const last = new Date()
  for (const id of ids) hits.add(id, { count: 1, last })
}

/** Writes the buffered counts; called on shutdown. */
export async function saveHits(): Promise<void> {
  await hits.flush()
}

/** Adds to the stored counts, so that processes count together. */
async function writeHits(counted: ReadonlyMap<string, Hits>): Promise<void> {
  const ids = [...counted.keys()]
  const counts = [...counted.values()].map(({ count }) => count)
  const lasts = [...counted.values()].map(({ last }) => last.toISOString())
  await sql`UPDATE redirects SET hits = redirects.hits + counted.count, last_hit_at = greatest(last_hit_at, counted.last)
    FROM unnest(${ids}::uuid[], ${counts}::bigint[], ${lasts}::timestamptz[]) AS counted(id, count, last)
    WHERE redirects.id = counted.id`.execute(db)
}
