import { env } from '#app/platform/env.server.ts'
import type { Handle } from '#app/platform/hydration.ts'
import { fileAnswer } from '#app/platform/file-answer.server.ts'

export const handle = { kept: true } satisfies Handle

/** Nothing in these is for a stranger to find: they are for people who are signed in, or are no pages. */
const closed = [
  '/api/',
  '/auth/',
  '/dashboard',
  '/data-marketplace$',
  '/data-marketplace/*/query',
  '/admin/',
  '/account',
  '/login',
  '/dev/',
  '/blog/preview/',
]

/** What machines may read here: all that is public. */
export function loader() {
  const rules = closed.map((path) => `Disallow: ${path}`)
  return fileAnswer('text/plain; charset=utf-8', ['User-agent: *', ...rules, '', `Sitemap: ${env.SITE_URL}/sitemap.xml`, ''].join('\n'))
}
