import { listPublicCallTypes } from '#app/booking/call-type.server.ts'
import { bookPath } from '#app/booking/rules/hours.ts'
import { listProducts } from '#app/datasets/catalog/listing.server.ts'
import { MARKETPLACE } from '#app/datasets/catalog/addresses.ts'
import { CATALOG } from '#app/datasets/catalog/public-catalog.ts'
import { publicPostDates } from '#app/blog/posts/post-listing.server.ts'
import { bookTexts } from '#app/content/book.ts'
import { isLegalName, legalDocuments } from '#app/content/legal.ts'
import type { PageMeta } from '#app/content/page-meta.ts'
import { heads } from '#app/content/seo.ts'
import { env } from '#app/platform/env.server.ts'

/** A page that search engines may list. `changed` is a day such as `2026-11-20`, or an exact time. */
export type Listed = { path: string; title: string; description: string; changed: string }

/** Every source of public URLs adds its list here, and its cached results get the tag that clears them. */
const sources: (() => Promise<Listed[]>)[] = [async () => listSitePages(), listCalls, listBlog, listDatasets]

/** Every page that visitors can read and search engines may list. */
export async function listPublicPages(): Promise<Listed[]> {
  return (await Promise.all(sources.map((list) => list()))).flat()
}

function listSitePages(): Listed[] {
  return Object.entries<PageMeta>(heads)
    .filter(([path, { index = true }]) => index && path !== BOOK && path !== BLOG && path !== CATALOG)
    .map(([path, { title, description = '', changed }]) => ({ path, title, description, changed: changed ?? dayOfLegal(path) }))
}

const BOOK = '/book'

/** Each call that visitors book here. With an external calendar, its pages lead there. */
async function listCalls(): Promise<Listed[]> {
  if (env.BOOKING_URL) return []
  const { title, description, changed } = heads[BOOK]
  return (await listPublicCallTypes()).map(({ slug, title: own, updatedAt }) =>
    slug === null
      ? { path: BOOK, title, description, changed }
      : { path: bookPath(slug), title: own, description: bookTexts.intro, changed: updatedAt.toISOString() },
  )
}

const BLOG = '/blog'

/** The blog is listed once it has a post; its date changes with its posts. */
async function listBlog(): Promise<Listed[]> {
  const posts = await publicPostDates()
  const changes = posts.map(({ changedAt }) => changedAt.toISOString())
  const newest = changes.toSorted().at(-1)
  if (!newest) return []
  const { title, description } = heads[BLOG]
  return [
    { path: BLOG, title, description, changed: newest },
    ...posts.map((post, index) => ({
      path: `${BLOG}/${post.slug}`,
      title: post.title,
      description: post.excerpt,
      changed: changes[index] ?? newest,
    })),
  ]
}

/** The catalog and each dataset are listed once they have data; its text may change between versions, its rows change with each version. */
async function listDatasets(): Promise<Listed[]> {
  const products = (await listProducts(undefined)).flatMap(({ slug, name, description, updatedAt }) =>
    updatedAt ? { path: `${MARKETPLACE}/${slug}`, title: name, description, changed: updatedAt } : [],
  )
  const newest = products
    .map(({ changed }) => changed)
    .toSorted()
    .at(-1)
  if (!newest) return []
  const { title, description } = heads[CATALOG]
  return [{ path: CATALOG, title, description, changed: newest }, ...products]
}

/** The date in the header of a legal text. */
function dayOfLegal(path: string): string {
  const name = path.slice(1)
  if (!isLegalName(name)) throw new Error(`${path} does not say when it changed last: see heads in seo.ts`)
  return new Date(`${legalDocuments[name].updated} UTC`).toISOString().slice(0, 10)
}
