import { listProducts } from '#app/datasets/listing.server.ts'
import { MARKETPLACE } from '#app/datasets/addresses.ts'
import { publicPostDates } from '#app/posts/post-listing.server.ts'
import { isLegalName, legalDocuments } from '#app/site/content/legal.ts'
import type { PageMeta } from '#app/site/content/page-meta.ts'
import { heads } from '#app/site/content/seo.ts'
import type { Listed } from './listed.ts'

/** Everything public that has addresses of its own adds its list here, and what is made of them gets the tag that clears it. */
const sources: (() => Promise<Listed[]>)[] = [async () => listSitePages(), listBlog, listDatasets]

/** Every page that strangers can read and search engines may list. */
export async function listPublicPages(): Promise<Listed[]> {
  return (await Promise.all(sources.map((list) => list()))).flat()
}

function listSitePages(): Listed[] {
  return Object.entries<PageMeta>(heads)
    .filter(([path, { index = true }]) => index && path !== BLOG)
    .map(([path, { title, description = '', changed }]) => ({ path, title, description, changed: changed ?? dayOfLegal(path) }))
}

const BLOG = '/blog'

/** The blog is a page to be found once there is something in it; then it changes with its posts. */
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

/** A dataset is a page to be found once it has data; its words may change in between, its rows do with each version. */
async function listDatasets(): Promise<Listed[]> {
  const products = await listProducts(undefined)
  return products.flatMap(({ slug, name, description, updatedAt }) =>
    updatedAt ? { path: `${MARKETPLACE}/${slug}`, title: name, description, changed: updatedAt } : [],
  )
}

/** The day that stands at the head of a legal text. */
function dayOfLegal(path: string): string {
  const name = path.slice(1)
  if (!isLegalName(name)) throw new Error(`${path} does not say when it changed last: see heads in seo.ts`)
  return new Date(`${legalDocuments[name].updated} UTC`).toISOString().slice(0, 10)
}
