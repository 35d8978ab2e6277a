import { endOf, resolve } from './resolve.server.ts'
import { RuleSet } from './rule-set.server.ts'
import type { Rule } from './rule.ts'
import { namedIn } from './target.server.ts'
import { REST, SampleUrls } from './sample-urls.server.ts'

/** The end of a rule's chain, as a target for that rule; `undefined` when it cannot be written. */
export function endOfChain(rules: readonly Rule[], rule: Rule, site: string): string | undefined {
  const set = new RuleSet(rules, site)
  const way = resolve(set, new SampleUrls(set).mainOf(rule))
  const { hops, end } = way
  const last = endOf(way)
  const isChain = hops[0]?.rule === rule && hops.length > 1 && (end === 'page' || end === 'outside')
  if (!isChain) return undefined
  // A captured group is the text of one address, so it cannot become a placeholder again.
  if (rule.kind === 'pattern') return namedIn(rule).length > 0 ? undefined : last
  if (last.includes('*')) return undefined
  return rule.kind === 'wildcard' ? last.replaceAll(REST, '*') : last
}
