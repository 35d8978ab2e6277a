import { endOf, statusOf, type Resolution } from '#app/redirects/engine/resolve.server.ts'
import { isProtected } from '#app/redirects/engine/protected.server.ts'
import { readAddress } from '#app/redirects/engine/address.server.ts'
import { env } from '#app/platform/env.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { isPage } from './pages.server.ts'
import type { RedirectResolution } from './redirect-request.ts'
import { resolveRedirects } from './rules.server.ts'

export type Sent = { location: string; statusCode: number }

/** The single redirect that a visitor gets for a chain; nothing when no rule applies, or the chain has no end. */
export function singleRedirect(way: Resolution): Sent | undefined {
  return way.end === 'page' || way.end === 'outside' ? { location: endOf(way), statusCode: statusOf(way.hops) } : undefined
}

/** Resolves an address of this site step by step. */
export async function testAddress(given: string): Promise<RedirectResolution> {
  const url = toPath(given)
  const way = resolveRedirects(url)
  const sent = singleRedirect(way)
  return {
    location: sent?.location ?? null,
    statusCode: sent?.statusCode ?? null,
    end: await endingOf(way, url),
    hops: way.hops.map(({ rule, from, to }) => ({ id: rule.id, from, to, statusCode: rule.statusCode })),
  }
}

/** The redirect that a visitor of a path gets. */
export function resolvePath(given: string): Sent | null {
  return singleRedirect(resolveRedirects(toPath(given))) ?? null
}

function toPath(given: string): string {
  if (given.startsWith('/')) return given
  const url = URL.parse(given)
  if (url?.origin !== env.SITE_URL) stop('unprocessable', 'Enter a URL of this site.', { errors: { url: 'Enter a URL of this site' } })
  return url.pathname + url.search
}

async function endingOf({ hops, end }: Resolution, url: string): Promise<RedirectResolution['end']> {
  const { path } = readAddress(hops.at(-1)?.to ?? url)
  if (end === 'outside') return 'outside'
  if (end === 'circle') return 'loop'
  if (hops.length === 0 && isProtected(path)) return 'protected'
  return (await isPage(path)) ? 'page' : 'missing'
}
