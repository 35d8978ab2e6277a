import { endOf, statusOf, type Way } from '#app/redirect-engine/follow.server.ts'
import { isProtected } from '#app/redirect-engine/protected.server.ts'
import { readAddress } from '#app/redirect-engine/address.server.ts'
import { env } from '#app/platform/env.server.ts'
import { stop } from '#app/platform/stop.ts'
import { isPage } from './pages.server.ts'
import type { RedirectWay } from './redirect-request.ts'
import { followRedirects } from './rules.server.ts'

export type Sent = { location: string; statusCode: number }

/** Where a visitor is sent at once, however many redirects are on the way; nothing when none answers, or when they lead nowhere. */
export function sentOn(way: Way): Sent | undefined {
  return way.end === 'page' || way.end === 'outside' ? { location: endOf(way), statusCode: statusOf(way.hops) } : undefined
}

/** What the engine does with an address of ours, step by step. */
export async function testAddress(given: string): Promise<RedirectWay> {
  const url = toPath(given)
  const way = followRedirects(url)
  const sent = sentOn(way)
  return {
    location: sent?.location ?? null,
    statusCode: sent?.statusCode ?? null,
    end: await endingOf(way, url),
    hops: way.hops.map(({ rule, from, to }) => ({ id: rule.id, from, to, statusCode: rule.statusCode })),
  }
}

/** What the engine would answer to a visitor of a path. */
export function resolvePath(given: string): Sent | null {
  return sentOn(followRedirects(toPath(given))) ?? null
}

function toPath(given: string): string {
  if (given.startsWith('/')) return given
  const url = URL.parse(given)
  if (url?.origin !== env.SITE_URL)
    stop('unprocessable', 'Give an address of this site.', { errors: { url: 'Give an address of this site' } })
  return url.pathname + url.search
}

async function endingOf({ hops, end }: Way, url: string): Promise<RedirectWay['end']> {
  const { path } = readAddress(hops.at(-1)?.to ?? url)
  if (end === 'outside') return 'outside'
  if (end === 'circle') return 'loop'
  if (hops.length === 0 && isProtected(path)) return 'protected'
  return (await isPage(path)) ? 'page' : 'missing'
}
