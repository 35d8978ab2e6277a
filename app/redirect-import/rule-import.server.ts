import type { Rule } from '#app/redirect-engine/rule.ts'
import { refuseRule } from '#app/redirect-engine/rule-check.server.ts'
import { readRules } from '#app/redirect-files/rule-file.server.ts'
import type { RuleLine } from '#app/redirect-files/rule-line.ts'
import { newId } from '#app/platform/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import { listPagePaths } from '#app/redirects/pages.server.ts'
import { findAllProblems } from '#app/redirects/problems.server.ts'
import { isRefused, type RedirectProblem } from '#app/redirects/redirect-problem.ts'
import type { Redirect, RedirectBody } from '#app/redirects/redirect.ts'
import type { ImportBody, ImportLine } from './rule-import.ts'

/** Leaving rules out brings others to light, seldom more than once. What is still wrong after so many rounds is left out as a whole. */
const ROUNDS = 20

type Candidate = { place: number; line: RuleLine; rule: RedirectBody & Rule }
type Judged = { lines: ImportLine[]; taken: (RedirectBody & Rule)[] }

/** What an import would do, line by line, and the rules that it would write behind those that are known. A list has room for `most`. */
export async function judgeImport({ text, format, confirm }: ImportBody, known: readonly Redirect[], most: number): Promise<Judged> {
  const read = readRules(text, format, env.SITE_URL)
  const judged = new Map<number, Omit<ImportLine, 'line' | 'text'>>()
  const candidates = sift(read, { known, most }, judged)
  const pages = await listPagePaths()
  const { kept, problems } = await withoutCircles(candidates, known, pages, judged)
  const doubts = doubtsAbout(kept, problems)
  for (const { place, rule } of kept) {
    const doubt = doubts.get(rule.id)
    judged.set(place, doubt ? { ...said(doubt), state: 'doubtful' } : { state: 'new' })
  }
  const taken = kept.filter(({ rule }) => confirm || !doubts.has(rule.id)).map(({ rule }) => rule)
  return { lines: read.map((line, place) => report(line, judged.get(place))), taken }
}

/** What can be seen of each rule by itself: whether the engine can work with it, whether it is there already, and whether there is room. */
function sift(
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
    else if (seen.size >= most) judged.set(place, { state: 'refused', reason: `There is room for ${most} redirects` })
    else {
      seen.add(keyOf(rule))
      return [{ place, line, rule }]
    }
    return []
  })
}

/** Leaves out, round by round, what would lead in a circle or is there already by another spelling. */
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
  for (const { place } of kept) judged.set(place, { state: 'problem', reason: 'These rules lead in circles that could not be told apart.' })
  return { kept: [], problems: [] }
}

/** Of two that are alike the first one stays; of a circle, none that is new. */
function toLeaveOut({ kind, ids }: RedirectProblem, places: ReadonlyMap<string, number>): string[] {
  const mine = ids.filter((id) => places.has(id)).toSorted((one, other) => (places.get(other) ?? 0) - (places.get(one) ?? 0))
  return kind === 'duplicate' ? mine.slice(0, 1) : mine
}

/** By rule, what somebody has to want: a chain, a rule that is never reached, a page that is hidden. */
function doubtsAbout(kept: readonly Candidate[], problems: readonly RedirectProblem[]): Map<string, RedirectProblem> {
  const mine = new Set(kept.map(({ rule }) => rule.id))
  const doubts = new Map<string, RedirectProblem>()
  for (const problem of problems) {
    const id = problem.ids.find((one) => mine.has(one))
    if (id !== undefined && !doubts.has(id)) doubts.set(id, problem)
  }
  return doubts
}

function said({ kind, message, path }: RedirectProblem) {
  return { kind, reason: message, path }
}

function report({ line, text, rule, refused }: RuleLine, judged?: Omit<ImportLine, 'line' | 'text'>): ImportLine {
  if (!rule || !judged) return { line, text, state: 'refused', reason: refused }
  const { fromPath, toPath, statusCode } = rule
  return { line, text, ...judged, rule: { fromPath, toPath, statusCode } }
}

/** Equal for rules that say the same, whether or not they are active. */
function keyOf({ fromPath, toPath, statusCode, isActive, kind, query, ignoresSlash, ignoresCase }: RedirectBody | Redirect): string {
  return JSON.stringify([fromPath, toPath, statusCode, isActive, kind, query, ignoresSlash, ignoresCase])
}
