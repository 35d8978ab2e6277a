import { Examination } from '#app/redirect-engine/examine.server.ts'
import { inPieces } from '#app/redirect-engine/in-pieces.server.ts'
import type { Rule } from '#app/redirect-engine/rule.ts'
import { env } from '#app/platform/env.server.ts'
import { stop } from '#app/platform/stop.ts'
import { isHarmful, isRefused, PROBLEMS, type RedirectProblem } from './redirect-problem.ts'
import type { Redirect } from './redirect.ts'

type Considered = Rule & { isActive: boolean }

/** What is wrong with one redirect of a list, and because of it; `pages` are the paths of public pages. One that is not active does nothing. */
export async function findProblems(list: readonly Considered[], one: Considered, pages: readonly string[]): Promise<RedirectProblem[]> {
  const rules = list.filter(({ isActive }) => isActive)
  const rule = rules.find(({ id }) => id === one.id)
  return rule ? inPieces(new Examination(rules, env.SITE_URL, pages).around(rule)) : []
}

/** What is wrong in a whole list. */
export async function findAllProblems(list: readonly Considered[], pages: readonly string[]): Promise<RedirectProblem[]> {
  const rules = list.filter(({ isActive }) => isActive)
  return inPieces(new Examination(rules, env.SITE_URL, pages).all())
}

/** Stops when a redirect cannot be as it is, by what `confirm` says of its sender; answers what passes. */
export async function refuseProblems(
  list: readonly Redirect[],
  one: Redirect,
  pages: readonly string[],
  confirm: boolean | undefined,
): Promise<RedirectProblem[]> {
  const problems = await findProblems(list, one, pages)
  const isBar = { asked: () => true, meant: isRefused, untold: isHarmful }[confirm === undefined ? 'untold' : confirm ? 'meant' : 'asked']
  const first = [...problems.filter(isRefused), ...problems].find(isBar)
  if (first) stop('conflict', first.message, { code: PROBLEMS, problems })
  return problems
}

/** Stops when another order would bring to life a circle that was none. */
export async function refuseNewCircles(before: readonly Redirect[], after: readonly Redirect[]): Promise<void> {
  const known = new Set((await circlesIn(before)).map(({ ids }) => ids.toSorted().join(' ')))
  const problems = (await circlesIn(after)).filter(({ ids }) => !known.has(ids.toSorted().join(' ')))
  if (problems[0]) stop('conflict', problems[0].message, { code: PROBLEMS, problems })
}

async function circlesIn(list: readonly Redirect[]): Promise<RedirectProblem[]> {
  return (await findAllProblems(list, [])).filter(({ kind }) => kind === 'loop' || kind === 'self')
}
