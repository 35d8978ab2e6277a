import type { z } from 'zod/mini'
import { newId } from '#app/platform/database/db.server.ts'
import { listPagePaths } from './pages.server.ts'
import { findAllProblems, findProblems } from './problems.server.ts'
import type { RedirectProblem } from './redirect-problem.ts'
import type { redirectCheck } from './redirect-request.ts'
import { listRedirects } from './redirect-list.server.ts'
import { refuseFields } from './refuse-fields.server.ts'

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
