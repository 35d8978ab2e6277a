import { foldCase, withoutSlash } from './address.server.ts'
import { follow, type Hop, type Way } from './follow.server.ts'
import { readFrom, RuleSet } from './rule-set.server.ts'
import type { Problem, Rule } from './rule.ts'
import { REST, Witnesses } from './witness.server.ts'

/** Finds what is wrong between rules, and between rules and pages. */
export class Examination {
  #set: RuleSet
  #witnesses: Witnesses
  #places: Map<Rule, number>
  #alike: Map<string, Rule[]>
  #pages = new Map<Rule, string>()

  /** Active rules in their order; `site` is our own origin, `pages` are the paths of what can be read there. */
  constructor(rules: readonly Rule[], site: string, pages: Iterable<string>) {
    this.#set = new RuleSet(rules, site)
    this.#witnesses = new Witnesses(this.#set)
    this.#places = new Map(rules.map((rule, place) => [rule, place]))
    this.#alike = Map.groupBy(rules, keyOf)
    for (const page of pages) {
      const found = this.#set.find(page)
      if (found) this.#pages.set(found.rule, page)
    }
  }

  /** What is wrong with all of them, each thing told once. It yields after each small piece, because many rules take seconds. */
  *all(): Generator<void, Problem[]> {
    const problems = new Map<string, Problem>()
    for (const rule of this.#set.rules) {
      for (const problem of yield* this.#of(rule)) {
        const key = `${problem.kind} ${problem.ids.toSorted().join(' ')}`
        if (!problems.has(key)) problems.set(key, problem)
      }
    }
    return [...problems.values()]
  }

  /** What is wrong where one rule begins. */
  *#of(rule: Rule): Generator<void, Problem[]> {
    const twin = this.#alike.get(keyOf(rule))?.find((other) => other !== rule)
    if (twin) return [duplicate(rule, twin)]
    const ways = new Map<Problem['kind'], Problem>()
    let [isReached, winner]: [boolean, Rule | undefined] = [false, undefined]
    for (const url of this.#witnesses.of(rule)) {
      yield
      const way = follow(this.#set, url)
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

  /** What is wrong because of one rule: where it begins, with those that lead to it, and with those that it leaves nothing for. */
  *around(rule: Rule): Generator<void, Problem[]> {
    const problems = yield* this.#of(rule)
    for (const other of this.#set.rules) {
      yield
      if (other !== rule) problems.push(...this.#between(other, rule))
    }
    return problems
  }

  #between(other: Rule, rule: Rule): Problem[] {
    const main = this.#witnesses.mainOf(other)
    const found = this.#set.find(main)
    if (found?.rule === other) {
      const way = follow(this.#set, main)
      return way.end !== 'circle' && way.hops[1]?.rule === rule ? [chain(way.hops)] : []
    }
    const isEarlier = (this.#places.get(rule) ?? 0) < (this.#places.get(other) ?? 0)
    return found?.rule === rule && isEarlier && keyOf(rule) !== keyOf(other) ? [shadowed(other, rule)] : []
  }
}

/** Equal for rules that are about exactly the same addresses in the same way. */
function keyOf(rule: Rule): string {
  const { path, query } = readFrom(rule)
  const slashed = rule.ignoresSlash && rule.kind === 'exact' ? withoutSlash(path) : path
  const from = rule.ignoresCase && rule.kind !== 'pattern' ? foldCase(slashed) : slashed
  return JSON.stringify([rule.kind, from, rule.ignoresSlash, rule.ignoresCase, query ?? null])
}

function toProblem({ hops, end }: Way): Problem | undefined {
  if (end === 'circle') return circle(hops)
  return hops.length > 1 ? chain(hops) : undefined
}

function circle(hops: readonly Hop[]): Problem {
  const rules = [...new Set(hops.map(({ rule }) => rule))]
  const kind = rules.length === 1 ? 'self' : 'loop'
  const path = pathOf(hops.slice(0, rules.length))
  const message = kind === 'self' ? `${path[0]} would lead back to itself.` : `These redirects lead in a circle: ${path.join(' → ')}.`
  return { kind, message, path, ids: rules.map(({ id }) => id) }
}

function chain(hops: readonly Hop[]): Problem {
  const path = pathOf(hops)
  return { kind: 'chain', message: `One redirect leads to the next: ${path.join(' → ')}.`, path, ids: hops.map(({ rule }) => rule.id) }
}

function duplicate(rule: Rule, twin: Rule): Problem {
  return {
    kind: 'duplicate',
    message: `There is already a redirect from ${rule.fromPath}.`,
    path: [rule.fromPath],
    ids: [rule.id, twin.id],
  }
}

function shadowed(rule: Rule, winner: Rule): Problem {
  const message = `The redirect from ${rule.fromPath} is never reached: the one from ${winner.fromPath} comes before it.`
  return { kind: 'shadowed', message, path: [rule.fromPath, winner.fromPath], ids: [rule.id, winner.id] }
}

function shadowsPage(rule: Rule, page: string): Problem {
  return { kind: 'shadows-page', message: `There is a page at ${page}, which nobody would reach any more.`, path: [page], ids: [rule.id] }
}

/** The addresses of a way, with a star where any rest stands. */
function pathOf(hops: readonly Hop[]): string[] {
  return [hops[0]?.from ?? '', ...hops.map(({ to }) => to)].map((address) => address.replaceAll(REST, '*'))
}
