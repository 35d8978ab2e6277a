import { readAddress, readQuery } from './address.server.ts'
import type { RuleSet } from './rule-set.server.ts'
import type { Rule } from './rule.ts'

/** So many rules at most are followed; whatever leads further leads nowhere. */
export const MOST_HOPS = 50

export type Hop = { rule: Rule; from: string; to: string }

/**
 * `page` is our own site, where no rule answers any more; `place` is how a page of ours spells that address, if otherwise. A `circle` ends nowhere, and so
 * does what no rule can make an address of.
 */
export type Way = { hops: Hop[]; end: 'unmoved' | 'page' | 'outside' | 'circle' | 'nowhere'; place?: string | undefined }

/** How a page of ours spells an address that was asked for in another way; nothing when it is spelled so. */
export type PlaceOf = (url: string) => string | undefined

/** The whole way from an address, so that a visitor makes it at once. A rule that does not answer this method ends it. */
export function follow(rules: RuleSet, url: string, method = 'GET', placeOf?: PlaceOf): Way {
  const hops: Hop[] = []
  const seen = new Set<string>()
  let from = url
  for (;;) {
    const asked = rules.find(from)
    // What no rule names in this spelling may have one in that of the page that it leads to.
    const place = asked ? undefined : placeOf?.(withoutFragment(from))
    const found = asked ?? (place === undefined ? undefined : rules.find(place))
    if (!found || !answers(found.rule, method)) return { hops, end: hops.length > 0 ? 'page' : 'unmoved', place }
    const spelling = spellingOf(place ?? from)
    if (seen.has(spelling) || hops.length >= MOST_HOPS) return { hops, end: 'circle' }
    seen.add(spelling)
    if (!found.target) return { hops, end: 'nowhere' }
    const { location, isOutside } = found.target
    hops.push({ rule: found.rule, from, to: location })
    if (isOutside) return { hops, end: 'outside' }
    from = location
  }
}

function withoutFragment(url: string): string {
  return url.split('#', 1)[0] ?? ''
}

/** 301 and 302 make a GET of whatever was sent, so they answer nothing else. */
function answers({ statusCode }: Rule, method: string): boolean {
  return statusCode >= 307 || method === 'GET' || method === 'HEAD'
}

function spellingOf(url: string): string {
  const { path, query } = readAddress(url)
  return `${path}?${readQuery(query)}`
}

/** The status of a whole way: that of its rule; of several it is for good only when each of them is. */
export function statusOf(hops: readonly Hop[]): number {
  const status = hops[0]?.rule.statusCode ?? 302
  const isForGood = hops.every(({ rule }) => rule.statusCode === 301 || rule.statusCode === 308)
  if (isForGood || hops.length < 2) return status
  return status >= 307 ? 307 : 302
}

/** Where a way ends: its last address, as a page of ours spells it, with the last `#` that was named. */
export function endOf({ hops, place }: Way): string {
  const end = place ?? withoutFragment(hops.at(-1)?.to ?? '')
  const fragment = hops.findLast(({ to }) => to.includes('#'))?.to.split(/#(.*)/s)[1]
  return fragment === undefined ? end : `${end}#${fragment}`
}
