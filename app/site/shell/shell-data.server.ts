import type { CurrentUser } from '#app/account/session/current-user.ts'
import { findAuthState } from '#app/account/session/current-user.server.ts'
import { toSessionLife } from '#app/account/session/session-keeper.tsx'
import { currentSettings } from '#app/content/settings/live.ts'
import { isPreview } from '#app/content/settings/settings.server.ts'
import type { RequestContext } from '#app/platform/http/request-context.server.ts'
import { membershipOf, personalOf } from '#app/organizations/organization/membership.server.ts'
import { env } from '#app/platform/env.server.ts'
import { Stop } from '#app/platform/errors/stop.ts'
import { toPerson } from './person.ts'

export type ShellData = Awaited<ReturnType<typeof readShell>>

/** What surrounds every page of a visitor. */
export async function readShell(requestContext: RequestContext) {
  const authState = await findAuthState(requestContext)
  const person =
    authState.state === 'signedIn' ? toPerson(authState.currentUser, await workingFor(requestContext, authState.currentUser)) : undefined
  const rail = { isNarrow: requestContext.cookies['rail'] === 'narrow' }
  // Invoices are made on the server alone.
  const { billing: _billing, ...content } = currentSettings()
  const settings = { content, isPreview: isPreview() }
  return { theme: requestContext.theme, rail, person, session: toSessionLife(authState), settings, sellsToAll: env.SELL_TO === 'all' }
}

/** A page is shown, whatever a header of its request says. */
async function workingFor(requestContext: RequestContext, currentUser: CurrentUser) {
  try {
    return await membershipOf(requestContext, currentUser)
  } catch (error) {
    if (error instanceof Stop) return personalOf(currentUser.id)
    throw error
  }
}
