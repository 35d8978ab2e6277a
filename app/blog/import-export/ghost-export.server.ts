import { z } from 'zod'
import { slugOf } from '#app/blog/posts/post.ts'
import { momentIn } from '#app/platform/time/iso-moment.ts'
import { countRefused, type ExportedPost, MOST_EXPORTED, type PostExport } from './exported-post.ts'

const id = z.union([z.string(), z.number()]).transform(String)
const text = z.string().nullish()
const post = z.object({
  id,
  title: text,
  slug: text,
  html: text,
  plaintext: text,
  feature_image: text,
  type: text,
  page: z.union([z.boolean(), z.number()]).nullish(),
  status: text,
  visibility: text,
  published_at: z.union([z.string(), z.number()]).nullish(),
  custom_excerpt: text,
  meta_title: text,
  meta_description: text,
})
const data = z.object({
  posts: z.array(post),
  tags: z.array(z.object({ id, name: z.string(), visibility: text })).default([]),
  posts_tags: z.array(z.object({ post_id: id, tag_id: id, sort_order: z.number().nullish() })).default([]),
  users: z.array(z.object({ id, name: text, email: text })).default([]),
  posts_authors: z.array(z.object({ post_id: id, author_id: id, sort_order: z.number().nullish() })).default([]),
  posts_meta: z.array(z.object({ post_id: id, meta_title: text, meta_description: text })).default([]),
})
const file = z.union([z.object({ db: z.array(z.object({ data })).min(1) }), z.object({ data })])

type Data = z.infer<typeof data>
type GhostPost = Data['posts'][number]

/** Reads a Ghost export, or returns the reason why it cannot. */
export function readGhost(given: string): PostExport | { reason: string } {
  const value = parsed(given.replace(/^\uFEFF/, ''))
  if (value === undefined) return { reason: 'This JSON is damaged.' }
  const read = file.safeParse(value)
  if (!read.success) return { reason: 'This JSON is not a Ghost export.' }
  const all = 'db' in read.data ? read.data.db[0]?.data : read.data.data
  if (!all || all.posts.length > MOST_EXPORTED) {
    return { reason: `This export has more than ${MOST_EXPORTED} posts. Please export it in parts.` }
  }
  const isPost = ({ type, page }: GhostPost) => (type ? type === 'post' : !page)
  const refused = all.posts.filter((one) => !isPost(one)).map(({ type }) => type ?? 'page')
  return { program: 'Ghost', posts: all.posts.filter(isPost).map((one) => postOf(one, all)), refused: countRefused(refused) }
}

function parsed(given: string): unknown {
  try {
    return JSON.parse(given)
  } catch {
    return undefined
  }
}

function postOf(given: GhostPost, all: Data): ExportedPost {
  const notes: string[] = []
  const isPublic = !given.visibility || given.visibility === 'public'
  const isPublished = given.status === 'published' || given.status === 'scheduled'
  if (isPublished && !isPublic) notes.push('It was for members only, so it becomes a draft.')
  const title = given.title?.trim() || 'Untitled'
  const slug = slugOf(given.slug ?? '') || slugOf(title) || `post-${given.id}`
  const meta = all.posts_meta.find(({ post_id }) => post_id === given.id)
  return {
    title,
    slug,
    html: given.html ?? paragraphsOf(given.plaintext ?? '', notes),
    published: isPublished && isPublic,
    date: dateOf(given.published_at),
    excerpt: given.custom_excerpt ?? undefined,
    tags: tagsOf(given.id, all),
    image: given.feature_image ?? undefined,
    metaTitle: given.meta_title ?? meta?.meta_title ?? undefined,
    metaDescription: given.meta_description ?? meta?.meta_description ?? undefined,
    author: authorOf(given.id, all),
    oldPath: given.slug ? `/${given.slug}/` : undefined,
    notes,
  }
}

function paragraphsOf(plain: string, notes: string[]): string {
  if (plain) notes.push('The export has no HTML for this post, so only its plain text is imported.')
  const escaped = plain.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return escaped
    .split(/\n\s*\n/)
    .map((part) => `<p>${part}</p>`)
    .join('\n')
}

/** Tags with a leading # are internal to Ghost. */
function tagsOf(postId: string, { tags, posts_tags: links }: Data): string[] {
  const mine = links.filter(({ post_id }) => post_id === postId).toSorted((one, other) => (one.sort_order ?? 0) - (other.sort_order ?? 0))
  const names = mine.flatMap(({ tag_id }) => tags.find((tag) => tag.id === tag_id) ?? [])
  return names.filter(({ name, visibility }) => visibility !== 'internal' && !name.startsWith('#')).map(({ name }) => name)
}

function authorOf(postId: string, { users, posts_authors: links }: Data): ExportedPost['author'] {
  const [first] = links
    .filter(({ post_id }) => post_id === postId)
    .toSorted((one, other) => (one.sort_order ?? 0) - (other.sort_order ?? 0))
  const user = users.find(({ id: userId }) => userId === first?.author_id)
  return user && { name: user.name ?? user.email ?? 'Unknown', email: user.email ?? '' }
}

/** Ghost writes moments of UTC without a zone, and its first versions wrote milliseconds. */
function dateOf(given: string | number | null | undefined): string | undefined {
  const moment = typeof given === 'number' ? new Date(given) : momentIn(given ?? '')
  return moment && !Number.isNaN(moment.getTime()) ? moment.toISOString() : undefined
}
