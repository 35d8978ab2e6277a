import { env } from '#app/platform/env.server.ts'
import type { Handle } from '#app/platform/hydration.ts'
import { fileAnswer } from '#app/platform/file-answer.server.ts'
import { listPublicPages } from './listed.server.ts'

export const handle = { kept: { tags: ['posts', 'datasets'] } } satisfies Handle

/** The public pages for search engines, each with the time of its last change. */
export async function loader() {
  const entries = (await listPublicPages()).map(({ path, changed }) => {
    return `<url><loc>${escapeXml(env.SITE_URL + path)}</loc><lastmod>${escapeXml(changed)}</lastmod></url>\n`
  })
  const start = '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
  return fileAnswer('application/xml; charset=utf-8', `${start}${entries.join('')}</urlset>\n`)
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' }

function escapeXml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => entities[sign] ?? sign)
}
