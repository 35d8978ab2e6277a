import type { Handle } from '#app/access.server.ts'
import { env } from '#app/platform/env.server.ts'
import { fileResponse } from '#app/platform/http/file-response.server.ts'

export const handle = { access: 'public', cache: true } satisfies Handle

/** Paths for signed-in people, or without a page: nothing for search engines. */
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

/** Crawlers may read all public pages. */
export function loader() {
  const rules = closed.map((path) => `Disallow: ${path}`)
  return fileResponse('text/plain; charset=utf-8', ['User-agent: *', ...rules, '', `Sitemap: ${env.SITE_URL}/sitemap.xml`, ''].join('\n'))
}
