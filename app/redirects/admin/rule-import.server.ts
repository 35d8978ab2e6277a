import type { Rule } from '#app/redirects/engine/rule.ts'
import { refuseRule } from '#app/redirects/engine/rule-check.server.ts'
import { readCsvHead } from '#app/redirects/formats/csv-rules.server.ts'
import { readRuleFile } from '#app/redirects/formats/rule-file.server.ts'
import type { RuleHead } from '#app/redirects/formats/rule-file.ts'
import type { RuleLine } from '#app/redirects/formats/rule-line.ts'
import { newId } from '#app/platform/database/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import { listPagePaths } from '#app/redirects/rules/pages.server.ts'
import { findAllProblems } from '#app/redirects/rules/problems.server.ts'
import { isRefused, type RedirectProblem } from '#app/redirects/rules/redirect-problem.ts'
import type { Redirect, RedirectBody } from '#app/redirects/rules/redirect.ts'
import type { ImportBody, ImportLine } from './rule-import.ts'

/**
 * Leaving rules out can reveal further problems, seldom more than once. Rules that still fail after this many rounds are left out together.
 */
const ROUNDS = 20

type Candidate = { place: number; line: RuleLine; rule: RedirectBody & Rule }
type Judged = RuleHead & { lines: ImportLine[]; taken: (RedirectBody & Rule)[] }

/** Reports line by line, and returns the rules to append to the known ones. A list holds at most `most`. */
export async function planImport(body: ImportBody, known: readonly Redirect[], most: number): Promise<Judged> {
  const { text, format, confirm, columns } = body
  const head = (format === 'csv' && readCsvHead(text, columns)) || { heads: [], columns: [] }
  const read = readRuleFile(text, format, env.SITE_URL, columns)
  const judged = new Map<number, Omit<ImportLine, 'line' | 'text'>>()
  const candidates = checkEach(read, { known, most }, judged)
  const pages = await listPagePaths()
  const { kept, problems } = await withoutCircles(candidates, known, pages, judged)
  const toConfirm = problemsToConfirm(kept, problems)
  for (const { place, rule } of kept) {
    const doubt = toConfirm.get(rule.id)
    judged.set(place, doubt ? { ...said(doubt), state: 'doubtful' } : { state: 'new' })
  }
  const taken = kept.filter(({ rule }) => confirm || !toConfirm.has(rule.id)).map(({ rule }) => rule)
  return { ...head, lines: read.map((line, place) => report(line, judged.get(place))), taken }
}

/** Checks each rule alone: can the engine use it, does it exist already, is there room? */
function checkEach(
  read: readonly RuleLine[],
  { known, most }: { known: readonly Redirect[]; most: number },
  judged: Map<number, Omit<ImportLine, 'line' | 'text'>>,
): Candidate[] {
  const seen = new Set(known.map(keyOf))
  return read.flatMap((line, place): Candidate[] => {
    if (!line.rule) return []
    const rule = { ...line.rule, id: newId() }
    const [refused] = Object.values(refuseRule(rule))
    if (refused !== undefined) judged.set(place, { state: 'refused', reason: refused })
    else if (seen.has(keyOf(rule))) judged.set(place, { state: 'duplicate', reason: `There is already a redirect from ${rule.fromPath}.` })
    else if (seen.size >= most) judged.set(place, { state: 'refused', reason: `You can have at most ${most} redirects` })
    else {
      seen.add(keyOf(rule))
      return [{ place, line, rule }]
    }
    return []
  })
}

/** Leaves out, round by round, rules that make a loop or duplicate another one in a different spelling. */
async function withoutCircles(
  candidates: Candidate[],
  known: readonly Redirect[],
  pages: readonly string[],
  judged: Map<number, Omit<ImportLine, 'line' | 'text'>>,
): Promise<{ kept: Candidate[]; problems: RedirectProblem[] }> {
  let kept = candidates
  for (let round = 0; round < ROUNDS; round += 1) {
    const places = new Map(kept.map(({ rule, place }) => [rule.id, place]))
    const problems = await findAllProblems([...known, ...kept.map(({ rule }) => rule)], pages)
    const wrong = problems.filter((problem) => isRefused(problem) && problem.ids.some((id) => places.has(id)))
    if (wrong.length === 0) return { kept, problems }
    const out = new Set<string>()
    for (const problem of wrong) {
      for (const id of toLeaveOut(problem, places)) {
        out.add(id)
        judged.set(places.get(id) ?? -1, { ...said(problem), state: problem.kind === 'duplicate' ? 'duplicate' : 'problem' })
      }
    }
    kept = kept.filter(({ rule }) => !out.has(rule.id))
  }
  for (const { place } of kept) judged.set(place, { state: 'problem', reason: 'These rules form loops that we could not separate.' })
  return { kept: [], problems: [] }
}

/** Of two duplicates the first one stays; of a loop, no new rule does. */
function toLeaveOut({ kind, ids }: RedirectProblem, places: ReadonlyMap<string, number>): string[] {
  const mine = ids.filter((id) => places.has(id)).toSorted((one, other) => (places.get(other) ?? 0) - (places.get(one) ?? 0))
  return kind === 'duplicate' ? mine.slice(0, 1) : mine
}

/** By rule, the problems to confirm: a chain, an unreachable rule, a hidden page. */
function problemsToConfirm(kept: readonly Candidate[], problems: readonly RedirectProblem[]): Map<string, RedirectProblem> {
  const mine = new Set(kept.map(({ rule }) => rule.id))
  const toConfirm = new Map<string, RedirectProblem>()
  for (const problem of problems) {
    const id = problem.ids.find((one) => mine.has(one))
    if (id !== undefined && !toConfirm.has(id)) toConfirm.set(id, problem)
  }
  return toConfirm
}

function said({ kind, message, path }: RedirectProblem) {
  return { kind, reason: message, path }
}

function report({ line, text, rule, refused, notes }: RuleLine, judged?: Omit<ImportLine, 'line' | 'text'>): ImportLine {
  if (!rule || !judged) return { line, text, state: 'refused', reason: refused }
  const { fromPath, toPath, statusCode } = rule
  return { line, text, ...judged, rule: { fromPath, toPath, statusCode }, ...(notes && { notes: [...notes] }) }
}

/** Equal for rules with the same meaning, active or not. */
function keyOf({ fromPath, toPath, statusCode, isActive, kind, query, ignoresSlash, ignoresCase }: RedirectBody | Redirect): string {
  return JSON.stringify([fromPath, toPath, statusCode, isActive, kind, query, ignoresSlash, ignoresCase])
}
