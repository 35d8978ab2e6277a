import type { Handle } from '#app/access.server.ts'
import { env } from '#app/platform/env.server.ts'
import { fileResponse } from '#app/platform/http/file-response.server.ts'
import { xml } from '#app/platform/text/xml.ts'
import { listPublicPages } from './listed.server.ts'

export const handle = { access: 'public', cache: { tags: ['posts', 'datasets', 'free-times'] } } satisfies Handle

/** The public pages for search engines, each with the time of its last change. */
export async function loader() {
  const entries = (await listPublicPages()).map(({ path, changed }) => {
    return xml`<url><loc>${env.SITE_URL + path}</loc><lastmod>${changed}</lastmod></url>\n`
  })
  const sitemap = xml`<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${entries}</urlset>
`
  return fileResponse('application/xml; charset=utf-8', sitemap.text)
}
