import { sql } from 'kysely'
import { readAddress } from '#app/redirect-engine/address.server.ts'
import { isProtected } from '#app/redirect-engine/protected.server.ts'
import { db } from '#app/platform/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import { Gathered } from '#app/platform/gathered.server.ts'
import type { Visit } from '#app/platform/visit.server.ts'
import { MOST_MISSING } from './missing-path.ts'
import { isProgram, readReferrer, withoutPersons } from './seen.ts'

/** So many different ones in one second: what a flood adds is not worth remembering. */
const MOST_AT_ONCE = 500

type Seen = { hits: number; botHits: number; referrer: string | null }

const seen = new Gathered<Seen>(
  MOST_AT_ONCE,
  (one, other) => ({ hits: one.hits + other.hits, botHits: one.botHits + other.botHits, referrer: other.referrer ?? one.referrer }),
  write,
)

/** Remembers that there was nothing at a path, without its query and without a word of who asked. */
export function noteMissing({ path: url, headers }: Pick<Visit, 'path' | 'headers'>): void {
  const { path } = readAddress(url)
  const kept = isProtected(path) ? undefined : withoutPersons(path)
  if (kept === undefined) return
  const { 'user-agent': userAgent, referer } = headers
  const botHits = isProgram(one(userAgent)) ? 1 : 0
  seen.add(kept, { hits: 1, botHits, referrer: readReferrer(one(referer), env.SITE_URL) })
}

/** Writes what has been seen; called where the product ends. */
export async function keepMissing(): Promise<void> {
  await seen.flush()
}

function one(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header
}

/** Adds to what is known; what was asked for least, and then longest ago, makes room. */
async function write(paths: ReadonlyMap<string, Seen>): Promise<void> {
  // All processes in one order, so that they cannot wait for each other in a ring.
  const entries = [...paths].toSorted(([one], [other]) => (one < other ? -1 : 1))
  const values = entries.map(([, value]) => value)
  await sql`INSERT INTO missing_paths (path, hits, bot_hits, referrer)
    SELECT * FROM unnest(${entries.map(([path]) => path)}::text[], ${values.map(({ hits }) => hits)}::bigint[],
      ${values.map(({ botHits }) => botHits)}::bigint[], ${values.map(({ referrer }) => referrer)}::text[])
    ON CONFLICT (path) DO UPDATE SET hits = missing_paths.hits + excluded.hits, bot_hits = missing_paths.bot_hits + excluded.bot_hits,
      referrer = coalesce(excluded.referrer, missing_paths.referrer), last_seen_at = now()`.execute(db)
  await sql`DELETE FROM missing_paths WHERE path IN (
    SELECT path FROM missing_paths ORDER BY hits DESC, last_seen_at DESC, path OFFSET ${MOST_MISSING})`.execute(db)
}
