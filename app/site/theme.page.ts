import { redirect } from 'react-router'
import { env } from '#app/platform/env.server.ts'
import { throwProblem } from '#app/platform/errors.server.ts'
import { readForm } from '#app/platform/form.server.ts'
import { type Visit, visitOf } from '#app/platform/visit.server.ts'
import type { Route } from './+types/theme.page.ts'

const YEAR = 365 * 24 * 60 * 60

/** Nothing to read here: someone followed the address of the form. */
export function loader() {
  return redirect('/')
}

/** Keeps the choice between light, dark and what the system says, and brings back the page that it was made on. */
export async function action({ request, context }: Route.ActionArgs) {
  const { theme: chosen } = await readForm(request).catch(throwProblem)
  const theme = chosen === 'light' || chosen === 'dark' ? chosen : 'system'
  const lasts = theme === 'system' ? 0 : YEAR
  const secure = env.SITE_URL.startsWith('https:') ? '; Secure' : ''
  return redirect(cameFrom(visitOf(context)), {
    status: 303,
    headers: { 'set-cookie': `theme=${theme}; Path=/; Max-Age=${lasts}; SameSite=Lax; HttpOnly${secure}` },
  })
}

/** The path of the page that sent this. Only the path is taken, so it is always one of ours; two slashes would name another host. */
function cameFrom({ headers }: Visit): string {
  const url = typeof headers['referer'] === 'string' ? URL.parse(headers['referer']) : null
  if (!url) return '/'
  return `/${url.pathname.replace(/^[/\\]+/, '')}${url.search}`
}
