import type { z } from 'zod/mini'
import { newId } from '#app/platform/database/db.server.ts'
import { listPagePaths } from './pages.server.ts'
import { findAllProblems, findProblems } from './problems.server.ts'
import type { RedirectProblem } from './redirect-problem.ts'
import type { redirectCheck } from './redirect-request.ts'
import { listRedirects } from './redirect-list.server.ts'
import { refuseRule } from '#app/redirects/engine/rule-check.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import type { RedirectBody } from './redirect.ts'

/** The problems that saving this redirect would cause, as a new one or in place of the one with its id. */
export async function checkRedirect({ id = newId(), ...body }: z.infer<typeof redirectCheck>): Promise<RedirectProblem[]> {
  refuseFields(body)
  const list = await listRedirects()
  const checked = { ...body, id }
  const isKnown = list.some((redirect) => redirect.id === id)
  const wanted = isKnown ? list.map((redirect) => (redirect.id === id ? checked : redirect)) : [...list, checked]
  return findProblems(wanted, checked, await listPagePaths())
}

export async function listProblems(): Promise<RedirectProblem[]> {
  return findAllProblems(await listRedirects(), await listPagePaths())
}

/** Stops when the engine cannot use the rule. */
export function refuseFields(body: RedirectBody): void {
  const errors = refuseRule({ id: '', ...body })
  const [sentence] = Object.values(errors)
  if (sentence !== undefined) stop('unprocessable', sentence, { code: 'validation_failed', errors })
}
