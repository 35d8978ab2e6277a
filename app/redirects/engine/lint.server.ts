import { foldCase, withoutSlash } from './address.server.ts'
import { readParameters } from './query.server.ts'
import { resolve, type Hop, type Resolution } from './resolve.server.ts'
import { readFrom, RuleSet } from './rule-set.server.ts'
import type { RuleProblem, Rule } from './rule.ts'
import { REST, SampleUrls } from './sample-urls.server.ts'

/** Finds problems between rules, and between rules and pages. */
export class RuleLint {
  #set: RuleSet
  #samples: SampleUrls
  #places: Map<Rule, number>
  #alike: Map<string, Rule[]>
  #pages = new Map<Rule, string>()

  /** Active rules in their order; `site` is our own origin, `pages` are the paths of public pages. */
  constructor(rules: readonly Rule[], site: string, pages: Iterable<string>) {
    this.#set = new RuleSet(rules, site)
    this.#samples = new SampleUrls(this.#set)
    this.#places = new Map(rules.map((rule, place) => [rule, place]))
    this.#alike = Map.groupBy(rules, keyOf)
    for (const page of pages) {
      const found = this.#set.find(page)
      if (found) this.#pages.set(found.rule, page)
    }
  }

  /** All problems, each reported once. Yields after each small step, because many rules take seconds. */
  *all(): Generator<void, RuleProblem[]> {
    const problems = new Map<string, RuleProblem>()
    for (const rule of this.#set.rules) {
      for (const problem of yield* this.#of(rule)) {
        const key = `${problem.kind} ${problem.ids.toSorted().join(' ')}`
        if (!problems.has(key)) problems.set(key, problem)
      }
    }
    return [...problems.values()]
  }

  /** The problems where one rule begins. */
  *#of(rule: Rule): Generator<void, RuleProblem[]> {
    const twin = this.#alike.get(keyOf(rule))?.find((other) => other !== rule)
    if (twin) return [duplicate(rule, twin)]
    const ways = new Map<RuleProblem['kind'], RuleProblem>()
    let [isReached, winner]: [boolean, Rule | undefined] = [false, undefined]
    for (const url of this.#samples.of(rule)) {
      yield
      const way = resolve(this.#set, url)
      if (way.hops[0]?.rule === rule) isReached = true
      else winner ??= way.hops[0]?.rule ?? this.#set.find(url)?.rule
      const problem = way.hops[0]?.rule === rule ? toProblem(way) : undefined
      if (problem && !ways.has(problem.kind)) ways.set(problem.kind, problem)
      if (ways.has('loop') || ways.has('self')) break
    }
    const found = [...ways.values()]
    if (!isReached && winner && winner !== rule) found.push(shadowed(rule, winner))
    const page = this.#pages.get(rule)
    return page === undefined ? found : [...found, shadowsPage(rule, page)]
  }

  /** The problems that one rule causes: where it begins, in rules that lead to it, and in rules that it makes unreachable. */
  *around(rule: Rule): Generator<void, RuleProblem[]> {
    const problems = yield* this.#of(rule)
    for (const other of this.#set.rules) {
      yield
      if (other !== rule) problems.push(...this.#between(other, rule))
    }
    return problems
  }

  #between(other: Rule, rule: Rule): RuleProblem[] {
    const main = this.#samples.mainOf(other)
    const found = this.#set.find(main)
    if (found?.rule === other) {
      const way = resolve(this.#set, main)
      return way.end !== 'circle' && way.hops[1]?.rule === rule ? [chain(way.hops)] : []
    }
    const isEarlier = (this.#places.get(rule) ?? 0) < (this.#places.get(other) ?? 0)
    return found?.rule === rule && isEarlier && keyOf(rule) !== keyOf(other) ? [shadowed(other, rule)] : []
  }
}

/** Equal for rules that match the same addresses in the same way. */
function keyOf(rule: Rule): string {
  const { path, query } = readFrom(rule)
  const slashed = rule.ignoresSlash && rule.kind === 'exact' ? withoutSlash(path) : path
  const from = rule.ignoresCase && rule.kind !== 'pattern' ? foldCase(slashed) : slashed
  return JSON.stringify([rule.kind, from, rule.ignoresSlash, rule.ignoresCase, requiredQuery(rule.query, query)])
}

function requiredQuery(option: Rule['query'], query: string): unknown {
  const pairs = readParameters(query).map(({ pair }) => pair)
  if (option === 'exact') return { exactly: pairs }
  return option === 'contains' ? pairs.toSorted() : []
}

function toProblem({ hops, end }: Resolution): RuleProblem | undefined {
  if (end === 'circle') return circle(hops)
  return hops.length > 1 ? chain(hops) : undefined
}

function circle(hops: readonly Hop[]): RuleProblem {
  const rules = [...new Set(hops.map(({ rule }) => rule))]
  const kind = rules.length === 1 ? 'self' : 'loop'
  const path = pathOf(hops.slice(0, rules.length))
  const message = kind === 'self' ? `${path[0]} redirects to itself.` : `These redirects form a loop: ${path.join(' → ')}.`
  return { kind, message, path, ids: rules.map(({ id }) => id) }
}

function chain(hops: readonly Hop[]): RuleProblem {
  const path = pathOf(hops)
  return { kind: 'chain', message: `These redirects form a chain: ${path.join(' → ')}.`, path, ids: hops.map(({ rule }) => rule.id) }
}

function duplicate(rule: Rule, twin: Rule): RuleProblem {
  return {
    kind: 'duplicate',
    message: `There is already a redirect from ${rule.fromPath}.`,
    path: [rule.fromPath],
    ids: [rule.id, twin.id],
  }
}

function shadowed(rule: Rule, winner: Rule): RuleProblem {
  const message = `The redirect from ${rule.fromPath} is never reached: the one from ${winner.fromPath} matches first.`
  return { kind: 'shadowed', message, path: [rule.fromPath, winner.fromPath], ids: [rule.id, winner.id] }
}

function shadowsPage(rule: Rule, page: string): RuleProblem {
  return { kind: 'shadows-page', message: `This would hide the page at ${page}.`, path: [page], ids: [rule.id] }
}

/** The addresses of a chain, with a star for the wildcard's rest. */
function pathOf(hops: readonly Hop[]): string[] {
  return [hops[0]?.from ?? '', ...hops.map(({ to }) => to)].map((address) => address.replaceAll(REST, '*'))
}
