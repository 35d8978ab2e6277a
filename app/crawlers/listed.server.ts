import { announcements } from '#app/site/content/in-preparation.ts'
import { isLegalName, legalDocuments } from '#app/site/content/legal.ts'
import type { PageMeta } from '#app/site/content/page-meta.ts'
import { heads } from '#app/site/content/seo.ts'
import type { Listed } from './listed.ts'

/** Everything public that has addresses of its own adds its list here; when it changes, `clearPages('/sitemap.xml', '/llms.txt')`. */
const sources: (() => Promise<Listed[]>)[] = [async () => listSitePages()]

/** Every page that strangers can read and search engines may list. */
export async function listPublicPages(): Promise<Listed[]> {
  return (await Promise.all(sources.map((list) => list()))).flat()
}

function listSitePages(): Listed[] {
  return Object.entries<PageMeta>(heads)
    .filter(([path, { index = true }]) => index && !announcements[path])
    .map(([path, { title, description = '', changed }]) => ({ path, title, description, changed: changed ?? dayOfLegal(path) }))
}

/** The day that stands at the head of a legal text. */
function dayOfLegal(path: string): string {
  const name = path.slice(1)
  if (!isLegalName(name)) throw new Error(`${path} does not say when it changed last: see heads in seo.ts`)
  return new Date(`${legalDocuments[name].updated} UTC`).toISOString().slice(0, 10)
}
