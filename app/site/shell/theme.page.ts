import type { Handle } from '#app/access.server.ts'
import { redirect } from 'react-router'
import { env } from '#app/platform/env.server.ts'
import { throwProblem } from '#app/platform/http/errors.server.ts'
import { readForm } from '#app/platform/http/form.server.ts'
import { type RequestContext, requestContextOf } from '#app/platform/http/request-context.server.ts'
import type { Route } from './+types/theme.page.ts'

const YEAR = 365 * 24 * 60 * 60

export const handle = { access: 'public' } satisfies Handle

/** No page here: redirects people who open the form's URL. */
export function loader() {
  return redirect('/')
}

/** Stores the choice of light, dark or system, and redirects back to the page. */
export async function action({ request, context }: Route.ActionArgs) {
  const { theme: chosen } = await readForm(request).catch(throwProblem)
  const theme = chosen === 'light' || chosen === 'dark' ? chosen : 'system'
  const lasts = theme === 'system' ? 0 : YEAR
  const secure = env.SITE_URL.startsWith('https:') ? '; Secure' : ''
  return redirect(cameFrom(requestContextOf(context)), {
    status: 303,
    headers: { 'set-cookie': `theme=${theme}; Path=/; Max-Age=${lasts}; SameSite=Lax; HttpOnly${secure}` },
  })
}

/** The path of the referring page. Only the path is used, so it is on this site; two slashes would name another host. */
function cameFrom({ headers }: RequestContext): string {
  const url = typeof headers['referer'] === 'string' ? URL.parse(headers['referer']) : null
  if (!url) return '/'
  return `/${url.pathname.replace(/^[/\\]+/, '')}${url.search}`
}
