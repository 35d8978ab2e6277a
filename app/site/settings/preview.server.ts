import type { MiddlewareFunction } from 'react-router'
import { may } from '#app/access.server.ts'
import { findAuthState } from '#app/account/session/current-user.server.ts'
import { withDrafts } from '#app/content/settings/settings.server.ts'
import { requestContextOf } from '#app/platform/http/request-context.server.ts'

/** `?preview=settings` shows an owner any page with the drafts of the settings. For everyone else it is the usual page. */
export const previewSettings: MiddlewareFunction<Response> = async ({ request, context }, next) => {
  if (new URL(request.url).searchParams.get('preview') !== 'settings') return next()
  const authState = await findAuthState(requestContextOf(context))
  if (authState.state !== 'signedIn' || !may(authState.currentUser, 'settings.write')) return next()
  const response = await withDrafts(next)
  response.headers.set('cache-control', 'no-store')
  response.headers.set('x-robots-tag', 'noindex')
  return response
}
