import { readAddress, readQuery } from './address.server.ts'
import type { RuleSet } from './rule-set.server.ts'
import type { Rule } from './rule.ts'

/** The most rules in a chain. A longer chain leads nowhere. */
export const MOST_HOPS = 50

export type Hop = { rule: Rule; from: string; to: string }

/**
 * `page` is an address of our own site that matches no rule; `place` is its canonical spelling, when that differs. A `circle` has no end,
 * and neither has a target that is no valid address.
 */
export type Resolution = { hops: Hop[]; end: 'unmoved' | 'page' | 'outside' | 'circle' | 'nowhere'; place?: string | undefined }

/** The canonical spelling of an address of a page; `undefined` when it is spelled so already. */
export type PlaceOf = (url: string) => string | undefined

/** Follows the whole chain from an address, so that a visitor gets a single redirect. A rule that does not apply to the method ends it. */
export function resolve(rules: RuleSet, url: string, method = 'GET', placeOf?: PlaceOf): Resolution {
  const hops: Hop[] = []
  const seen = new Set<string>()
  let from = url
  for (;;) {
    const asked = rules.find(from)
    // An address without a rule may have one under its page's canonical spelling.
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

/** 301 and 302 turn any method into GET, so they apply to GET and HEAD only. */
function answers({ statusCode }: Rule, method: string): boolean {
  return statusCode >= 307 || method === 'GET' || method === 'HEAD'
}

function spellingOf(url: string): string {
  const { path, query } = readAddress(url)
  return `${path}?${readQuery(query)}`
}

/** The status of a chain: permanent only if every rule in it is. */
export function statusOf(hops: readonly Hop[]): number {
  const status = hops[0]?.rule.statusCode ?? 302
  const isForGood = hops.every(({ rule }) => rule.statusCode === 301 || rule.statusCode === 308)
  if (isForGood || hops.length < 2) return status
  return status >= 307 ? 307 : 302
}

/** The last address of a chain in its canonical spelling, with the last fragment that a rule named. */
export function endOf({ hops, place }: Resolution): string {
  const end = place ?? withoutFragment(hops.at(-1)?.to ?? '')
  const fragment = hops.findLast(({ to }) => to.includes('#'))?.to.split(/#(.*)/s)[1]
  return fragment === undefined ? end : `${end}#${fragment}`
}
