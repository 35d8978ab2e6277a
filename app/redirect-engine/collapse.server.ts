import { endOf, follow } from './follow.server.ts'
import { RuleSet } from './rule-set.server.ts'
import type { Rule } from './rule.ts'
import { namedIn } from './target.server.ts'
import { REST, Witnesses } from './witness.server.ts'

/** Where a rule of a list leads at the end of all redirects, as it can be written into the rule; nothing when it cannot. */
export function endOfChain(rules: readonly Rule[], rule: Rule, site: string): string | undefined {
  const set = new RuleSet(rules, site)
  const way = follow(set, new Witnesses(set).mainOf(rule))
  const { hops, end } = way
  const last = endOf(way)
  const isChain = hops[0]?.rule === rule && hops.length > 1 && (end === 'page' || end === 'outside')
  if (!isChain) return undefined
  // What a group has caught is some text of one address, and not a mark any more.
  if (rule.kind === 'pattern') return namedIn(rule).length > 0 ? undefined : last
  if (last.includes('*')) return undefined
  return rule.kind === 'wildcard' ? last.replaceAll(REST, '*') : last
}
