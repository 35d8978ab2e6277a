import { sql } from 'kysely'
import type { PlaceOf } from '#app/redirects/engine/resolve.server.ts'
import { log } from '#app/platform/process/log.server.ts'
import { db } from '#app/platform/database/db.server.ts'
import { BatchedWrites } from '#app/platform/database/batched-writes.server.ts'
import { onNewRules, openRules, resolveRedirects } from './rules.server.ts'
import { type Sent, singleRedirect } from './resolution.server.ts'
import { MOST_REDIRECTS } from './redirect-list.server.ts'

/** Loops already logged, by their first redirect. */
const loggedLoops = new Set<string>()

/** The redirect that a visitor gets, counted as a hit. A loop returns nothing, so the visitor gets the page or a 404. */
export function redirectFor(url: string, method: string, placeOf: PlaceOf): Sent | undefined {
  const resolution = resolveRedirects(url, method, placeOf)
  if (resolution.end === 'circle') logLoop(resolution.hops.map(({ rule }) => rule.id))
  const sent = singleRedirect(resolution)
  if (sent) countHits(resolution.hops.map(({ rule }) => rule.id))
  return sent
}

/** Follows the list. `onChange` gets a function that tells whether an address is redirected. */
export async function openRedirects(onChange: (isAnswered: (url: string) => boolean) => void): Promise<() => Promise<void>> {
  const deaf = onNewRules((rules) => {
    loggedLoops.clear()
    onChange((url) => rules.find(url) !== undefined)
  })
  const close = await openRules()
  return async () => {
    deaf()
    close()
    await saveHits()
  }
}

function logLoop([first = '', ...others]: string[]) {
  if (loggedLoops.has(first)) return
  loggedLoops.add(first)
  log.warn({ redirects: [first, ...others] }, 'redirects form a loop')
}

type Hits = { count: number; last: Date }

const hits = new BatchedWrites<Hits>(
  MOST_REDIRECTS,
  (one, other) => ({ count: one.count + other.count, last: one.last > other.last ? one.last : other.last }),
  writeHits,
)

function countHits(ids: readonly string[]): void {
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
