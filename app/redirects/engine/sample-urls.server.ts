import { readAddress, readQuery } from './address.server.ts'
import { resolve } from './resolve.server.ts'
import { patternExamples } from './pattern-example.server.ts'
import { readFrom, type RuleSet } from './rule-set.server.ts'
import type { Rule } from './rule.ts'

/** A placeholder for any rest: a property that holds for it holds for every rest. */
export const REST = '~any~rest~'
/** The most rests combined, both per rule and in total. Thousands of wildcards over thousands of rules would take hours. */
const MOST = 2_000
const MOST_OF_ALL = 50_000
const DEEPEST = 4

/** Sample URLs of a rule. Together with the other rules they show what happens to everything that it matches. */
export class SampleUrls {
  #set: RuleSet
  /** Literal prefixes of rules, sorted. */
  #starts: string[]
  #queries = new Map<string, string[]>()
  #made = 0

  constructor(set: RuleSet) {
    this.#set = set
    const starts = set.rules.filter(({ kind }) => kind !== 'pattern').map((rule) => readFrom(rule))
    this.#starts = [...new Set(starts.map(({ path }) => path))].toSorted((one, other) => (one < other ? -1 : 1))
    for (const { path, query } of starts) if (query) this.#queries.set(path, [...(this.#queries.get(path) ?? []), query])
  }

  /** The most typical sample of a rule. */
  mainOf(rule: Rule): string {
    const { path, query } = readFrom(rule)
    const main = rule.kind === 'pattern' ? (patternExamples(path).at(-1) ?? path) : path
    return withQuery(rule.kind === 'wildcard' ? main + REST : main, query)
  }

  *of(rule: Rule): Generator<string> {
    const { path, query } = readFrom(rule)
    const bare = rule.kind === 'wildcard' ? this.#ofWildcard(path, query) : rule.kind === 'pattern' ? patternExamples(path) : [path]
    for (const address of bare) {
      const url = withQuery(address, query)
      yield url
      // A passed-on query may be the one that a later rule requires.
      if (rule.query === 'ignore') continue
      for (const wanted of this.#queriesAfter(url)) yield withQuery(address, query ? `${query}&${wanted}` : wanted)
    }
  }

  /** Any rest, no rest, and each rest that a later rule matches. Rests are combined from the prefixes of later rules. */
  *#ofWildcard(path: string, query: string): Generator<string> {
    const tried = new Map([['', 0]])
    for (const [start, depth] of tried) {
      yield path + start + REST
      yield path + start
      if (depth >= DEEPEST) continue
      const { hops } = resolve(this.#set, withQuery(path + start + REST, query))
      for (const more of hops.values().flatMap(({ to }) => this.#restsAfter(to))) {
        if (tried.size > MOST || this.#made > MOST_OF_ALL) break
        if (tried.has(start + more)) continue
        tried.set(start + more, depth + 1)
        this.#made += 1
      }
    }
  }

  *#restsAfter(to: string): Generator<string> {
    const { path } = readAddress(to)
    if (!path.endsWith(REST)) return
    const known = path.slice(0, -REST.length)
    for (const start of this.#starts.values().drop(this.#placeOf(known))) {
      if (!start.startsWith(known)) return
      if (start.length > known.length) yield start.slice(known.length)
    }
  }

  #placeOf(start: string): number {
    let [low, high] = [0, this.#starts.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#starts[middle] ?? '') < start) low = middle + 1
      else high = middle
    }
    return low
  }

  #queriesAfter(url: string): string[] {
    if (this.#queries.size === 0) return []
    return resolve(this.#set, url).hops.flatMap(({ to }) => this.#queries.get(readAddress(to).path) ?? [])
  }
}

function withQuery(path: string, query: string): string {
  return query ? `${path}?${readQuery(query)}` : path
}
