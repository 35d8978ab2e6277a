import { findAuthState } from '#app/account/session/current-user.server.ts'
import { toSessionLife } from '#app/account/session/session-keeper.tsx'
import { currentSettings } from '#app/content/settings/live.ts'
import { isPreview } from '#app/content/settings/settings.server.ts'
import type { RequestContext } from '#app/platform/http/request-context.server.ts'
import { toPerson } from './person.ts'

export type ShellData = Awaited<ReturnType<typeof readShell>>

/** What surrounds every page of a visitor. */
export async function readShell(requestContext: RequestContext) {
  const authState = await findAuthState(requestContext)
  const person = authState.state === 'signedIn' ? toPerson(authState.currentUser) : undefined
  const rail = { isNarrow: requestContext.cookies['rail'] === 'narrow' }
  const settings = { content: currentSettings(), isPreview: isPreview() }
  return { theme: requestContext.theme, rail, person, session: toSessionLife(authState), settings }
}
