import { sql } from 'kysely'
import { readAddress } from '#app/redirects/engine/address.server.ts'
import { isProtected } from '#app/redirects/engine/protected.server.ts'
import { db } from '#app/platform/database/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import { BatchedWrites } from '#app/platform/database/batched-writes.server.ts'
import type { RequestContext } from '#app/platform/http/request-context.server.ts'
import { MAX_NOT_FOUND } from './not-found.ts'

/** Distinct paths per second; a flood adds nothing worth storing. */
const MOST_AT_ONCE = 500

type Seen = { hits: number; botHits: number; referrer: string | null }

const seen = new BatchedWrites<Seen>(
  MOST_AT_ONCE,
  (one, other) => ({ hits: one.hits + other.hits, botHits: one.botHits + other.botHits, referrer: other.referrer ?? one.referrer }),
  write,
)

/** Logs a path that was not found, without its query or anything about the visitor. */
export function logNotFound({ path: url, headers }: Pick<RequestContext, 'path' | 'headers'>): void {
  const { path } = readAddress(url)
  const kept = isProtected(path) ? undefined : withoutPersonalData(path)
  if (kept === undefined) return
  const { 'user-agent': userAgent, referer } = headers
  const botHits = isProgram(one(userAgent)) ? 1 : 0
  seen.add(kept, { hits: 1, botHits, referrer: readReferrer(one(referer), env.SITE_URL) })
}

/** Writes the buffered hits; called on shutdown. */
export async function saveNotFound(): Promise<void> {
  await seen.flush()
}

function one(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header
}

/** Adds the hits. When the log is full, the paths with the fewest and oldest hits are deleted. */
async function write(paths: ReadonlyMap<string, Seen>): Promise<void> {
  // Every process locks rows in the same order, so they cannot deadlock.
  const entries = [...paths].toSorted(([one], [other]) => (one < other ? -1 : 1))
  const values = entries.map(([, value]) => value)
  await sql`INSERT INTO missing_paths (path, hits, bot_hits, referrer)
    SELECT * FROM unnest(${entries.map(([path]) => path)}::text[], ${values.map(({ hits }) => hits)}::bigint[],
      ${values.map(({ botHits }) => botHits)}::bigint[], ${values.map(({ referrer }) => referrer)}::text[])
    ON CONFLICT (path) DO UPDATE SET hits = missing_paths.hits + excluded.hits, bot_hits = missing_paths.bot_hits + excluded.bot_hits,
      referrer = coalesce(excluded.referrer, missing_paths.referrer), last_seen_at = now()`.execute(db)
  await sql`DELETE FROM missing_paths WHERE path IN (
    SELECT path FROM missing_paths ORDER BY hits DESC, last_seen_at DESC, path OFFSET ${MAX_NOT_FOUND})`.execute(db)
}

/** In characters. */
const LONGEST = 300

const PROGRAM =
  /bot|crawl|spider|slurp|fetch|scan|monitor|preview|headless|curl|wget|python|perl|ruby|java\/|okhttp|go-http|libwww|axios|node|http-?client|feed/i

/** Whether a user agent names a program, or is missing, which no browser's is. */
function isProgram(userAgent: string | undefined): boolean {
  return !userAgent || PROGRAM.test(userAgent)
}

const PERSONAL = [
  // An email address.
  /[^\s/@]+@[^\s/@]+\.[^\s/@]+/g,
  // A secret or an id: a token, a UUID.
  /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/gi,
  /(?=\w*\d)\w{24,}/g,
  // A telephone number.
  /\+?\d[\d-]{7,}\d/g,
]

/** Removes personal data from a path; `undefined` when the path is longer than anyone would type. */
function withoutPersonalData(path: string): string | undefined {
  if (path.length > LONGEST) return undefined
  return PERSONAL.reduce((text, personal) => text.replaceAll(personal, '…'), path)
}

/** The page of a link: our own path, or the host of another site. */
function readReferrer(referrer: string | undefined, site: string): string | null {
  const url = referrer === undefined ? null : URL.parse(referrer)
  if (!url || !/^https?:$/.test(url.protocol)) return null
  return url.origin === site ? (withoutPersonalData(url.pathname) ?? null) : url.host.slice(0, LONGEST)
}
