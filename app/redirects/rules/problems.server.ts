import { RuleLint } from '#app/redirects/engine/lint.server.ts'
import { inPieces } from '#app/redirects/engine/in-pieces.server.ts'
import type { Rule } from '#app/redirects/engine/rule.ts'
import { env } from '#app/platform/env.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { isHarmful, isRefused, PROBLEMS, type RedirectProblem } from './redirect-problem.ts'
import type { Redirect } from './redirect.ts'

type Considered = Rule & { isActive: boolean }

/** The problems of one redirect in a list, and those it causes; `pages` are the paths of public pages. An inactive redirect has none. */
export async function findProblems(list: readonly Considered[], one: Considered, pages: readonly string[]): Promise<RedirectProblem[]> {
  const rules = list.filter(({ isActive }) => isActive)
  const rule = rules.find(({ id }) => id === one.id)
  return rule ? inPieces(new RuleLint(rules, env.SITE_URL, pages).around(rule)) : []
}

export async function findAllProblems(list: readonly Considered[], pages: readonly string[]): Promise<RedirectProblem[]> {
  const rules = list.filter(({ isActive }) => isActive)
  return inPieces(new RuleLint(rules, env.SITE_URL, pages).all())
}

/** Stops on problems that the sender has to fix or confirm (see `confirm` of `redirectSave`); returns the rest. */
export async function stopOnProblems(
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

/** Stops when a new order would create a loop. */
export async function refuseNewCircles(before: readonly Redirect[], after: readonly Redirect[]): Promise<void> {
  const known = new Set((await circlesIn(before)).map(({ ids }) => ids.toSorted().join(' ')))
  const problems = (await circlesIn(after)).filter(({ ids }) => !known.has(ids.toSorted().join(' ')))
  if (problems[0]) stop('conflict', problems[0].message, { code: PROBLEMS, problems })
}

async function circlesIn(list: readonly Redirect[]): Promise<RedirectProblem[]> {
  return (await findAllProblems(list, [])).filter(({ kind }) => kind === 'loop' || kind === 'self')
}
