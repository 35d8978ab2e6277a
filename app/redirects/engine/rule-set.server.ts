import { type RequestedUrl, foldCase, readAddress, withoutSlash } from './address.server.ts'
import { type Pattern, readPattern } from './pattern.server.ts'
import { PrefixList } from './prefix-list.server.ts'
import { isProtected } from './protected.server.ts'
import { matchOfQuery, type QueryMatch, RequestedQuery } from './query.server.ts'
import { LONGEST_PATH, type Rule } from './rule.ts'
import { NO_REST, readTarget, type Target, type Template } from './target.server.ts'

/** In milliseconds of CPU time per address for trying patterns. Past this limit the address is not redirected. */
const PATIENCE_MS = 30

type Line = { rule: Rule; place: number; from: string; matchQuery: QueryMatch; target: Template }
type Exact = { line: Line; rest: boolean }
type Searched = { line: Line; pattern: Pattern }

export type RuleMatch = { rule: Rule; caught: readonly string[]; target: Target | undefined }

/** An index of rules that finds the first match of the list, however long the list is. */
export class RuleSet {
  readonly rules: readonly Rule[]
  #exact: Record<string, Map<string, Exact[]>> = {}
  #wildcards: Record<string, PrefixList<Line>> = {}
  #patterns: Record<string, PrefixList<Searched>> = {}

  /** Active rules in list order; `site` is our own origin. An unreadable rule is left out. */
  constructor(rules: readonly Rule[], site: string) {
    this.rules = rules
    const wildcards: Record<string, [string, Line][]> = { asWritten: [], folded: [] }
    const patterns: Record<string, [string, Searched][]> = { asWritten: [], folded: [] }
    for (const [place, rule] of rules.entries()) {
      const line = toLine(rule, place, site)
      const spelling = rule.ignoresCase ? 'folded' : 'asWritten'
      if (rule.kind === 'exact') this.#addExact(line, line.from, false)
      if (rule.kind === 'wildcard') {
        wildcards[spelling]?.push([line.from, line])
        // `/old/*` also matches `/old` itself.
        if (rule.ignoresSlash && line.from.endsWith('/') && line.from !== '/') this.#addExact(line, line.from, true)
      }
      const pattern = rule.kind === 'pattern' ? patternOf(rule) : undefined
      if (pattern) patterns[spelling]?.push([pattern.begins, { line, pattern }])
    }
    for (const [spelling, entries] of Object.entries(wildcards)) if (entries.length > 0) this.#wildcards[spelling] = new PrefixList(entries)
    for (const [spelling, entries] of Object.entries(patterns)) if (entries.length > 0) this.#patterns[spelling] = new PrefixList(entries)
  }

  #addExact(line: Line, from: string, rest: boolean) {
    const { ignoresSlash, ignoresCase } = line.rule
    const spelling = `${ignoresCase ? 'folded' : 'asWritten'}${ignoresSlash ? '' : ' strict'}`
    const map = (this.#exact[spelling] ??= new Map())
    const key = ignoresSlash ? withoutSlash(from) : from
    const lines = map.get(key)
    if (lines) lines.push({ line, rest })
    else map.set(key, [{ line, rest }])
  }

  /** The first rule that matches an address, and its target. */
  find(url: string): RuleMatch | undefined {
    const address = readAddress(url)
    if (address.path.length > LONGEST_PATH || isProtected(address.path)) return undefined
    const spellings = { asWritten: address.path, folded: foldCase(address.path) }
    const search = new Search(address)
    for (const [spelling, path] of Object.entries(spellings)) this.#offerLines(search, address, spelling, path)
    const searched = Object.entries(spellings).flatMap(([spelling, path]) =>
      [...(this.#patterns[spelling]?.find(path) ?? [])].flatMap((lines) => lines.filter(({ pattern }) => path.includes(pattern.holds))),
    )
    if (searched.length > 0) search.offerPatterns(searched)
    return search.end()
  }

  #offerLines(search: Search, address: RequestedUrl, spelling: string, path: string) {
    for (const { line, rest } of this.#exact[spelling]?.get(withoutSlash(path)) ?? []) {
      // With a trailing slash the wildcards find it.
      if (!rest || !path.endsWith('/')) search.offer(line, [NO_REST])
    }
    for (const { line } of this.#exact[`${spelling} strict`]?.get(path) ?? []) search.offer(line, [])
    for (const lines of this.#wildcards[spelling]?.find(path) ?? []) {
      lines.some((line) => search.offer(line, [address.path.slice(line.from.length)]))
    }
  }
}

/** Finds the first rule of the list among candidates offered in any order. */
class Search {
  #address: RequestedUrl
  #query: RequestedQuery
  #best: { line: Line; caught: readonly string[] } | undefined

  constructor(address: RequestedUrl) {
    this.#address = address
    this.#query = new RequestedQuery(address.query)
  }

  /** Returns whether the rule matches and is the first so far. */
  offer(line: Line, caught: readonly string[]): boolean {
    if (this.#isTooLate(line)) return false
    this.#best = { line, caught }
    return true
  }

  offerPatterns(candidates: readonly Searched[]) {
    const patience = new Patience(PATIENCE_MS)
    for (const { line, pattern } of candidates.toSorted((one, other) => one.line.place - other.line.place)) {
      if (this.#isTooLate(line)) continue
      if (patience.isOver()) return
      const caught = capture(pattern, this.#address.path, line)
      if (caught && this.offer(line, caught)) return
    }
  }

  end(): RuleMatch | undefined {
    if (!this.#best) return undefined
    const { line, caught } = this.#best
    return { rule: line.rule, caught, target: line.target.make(caught, line.matchQuery(this.#query) ?? '') }
  }

  #isTooLate({ place, matchQuery }: Line): boolean {
    return Boolean(this.#best && this.#best.line.place <= place) || matchQuery(this.#query) === undefined
  }
}

/**
 * Counts only the CPU time of this thread, so a busy machine does not shorten the limit. The wall clock is read first because that is
 * cheaper.
 */
class Patience {
  #ms: number
  #began = performance.now()
  #worked = process.threadCpuUsage()

  constructor(ms: number) {
    this.#ms = ms
  }

  isOver(): boolean {
    if (performance.now() - this.#began < this.#ms) return false
    const { user, system } = process.threadCpuUsage(this.#worked)
    return (user + system) / 1000 >= this.#ms
  }
}

/** The captured groups, if the target names any: capturing takes far longer than matching. */
function capture(pattern: Pattern, path: string, { rule, target }: Line): readonly string[] | undefined {
  const paths = rule.ignoresSlash ? [path, withoutSlash(path)] : [path]
  const matched = paths.find((one) => pattern.matches(one))
  if (matched === undefined) return undefined
  return target.isFixed ? [] : pattern.capture(matched)
}

function toLine(rule: Rule, place: number, site: string): Line {
  const { path, query } = readFrom(rule)
  return {
    rule,
    place,
    from: rule.ignoresCase ? foldCase(path) : path,
    matchQuery: matchOfQuery(rule.query, query),
    target: readTarget(rule, site),
  }
}

/** The path and query of the address that a rule names. A pattern names a path only. */
export function readFrom({ kind, fromPath }: Rule): RequestedUrl {
  if (kind === 'pattern') return { path: fromPath, query: '' }
  return readAddress(kind === 'wildcard' ? fromPath.replace('*', '') : fromPath)
}

/** Writing refuses an unreadable pattern. One written by an older version is skipped. */
function patternOf({ fromPath, ignoresCase }: Rule): Pattern | undefined {
  try {
    return readPattern(fromPath, ignoresCase)
  } catch {
    return undefined
  }
}
