import { firstErrors } from '#app/platform/first-errors.ts'
import { type Post, type PostBody, postBody, slugOf, tagsOf } from '#app/posts/post.ts'
import type { PostStatus } from '#app/posts/post-query.ts'

/** A post as its form holds it: what is typed, whole or not. */
export type PostFields = {
  title: string
  slug: string
  content: string
  excerpt: string
  /** With commas between them. */
  tags: string
  featuredImage: string
  metaTitle: string
  metaDescription: string
  published: boolean
  /** ISO 8601, or nothing for the moment of publishing. */
  publishedAt: string
}

/** The fields, and whether the address is still made of the title. */
export type Writing = { fields: PostFields; slugFollows: boolean }

export type Change = Partial<PostFields>

const nothing: PostFields = {
  title: '',
  slug: '',
  content: '',
  excerpt: '',
  tags: '',
  featuredImage: '',
  metaTitle: '',
  metaDescription: '',
  published: false,
  publishedAt: '',
}

/** What of a post is written by hand; a draft is a post of which parts may be missing. */
export type Written = { [Name in Exclude<keyof PostBody, 'authorId'>]?: PostBody[Name] | null | undefined }

export function fieldsOf(post: Written): PostFields {
  return {
    title: post.title ?? '',
    slug: post.slug ?? '',
    content: post.content ?? '',
    excerpt: post.excerpt ?? '',
    tags: (post.tags ?? []).join(', '),
    featuredImage: post.featuredImage ?? '',
    metaTitle: post.metaTitle ?? '',
    metaDescription: post.metaDescription ?? '',
    published: post.published ?? false,
    publishedAt: post.publishedAt ?? '',
  }
}

/** A new post, or what was begun of one. */
export function startNew(fields = nothing): Writing {
  return { fields, slugFollows: fields.slug === '' || fields.slug === slugOf(fields.title) }
}

/** An address that someone may have kept is changed by hand alone: one that was public, and one that was chosen. */
export function startFrom(post: Written, wasPublic: boolean): Writing {
  const fields = fieldsOf(post)
  return { fields, slugFollows: !wasPublic && (fields.slug === '' || fields.slug === slugOf(fields.title)) }
}

/** What is typed into some fields. The address follows the title until someone types it; emptied, it follows again. */
export function write({ fields, slugFollows }: Writing, change: Change): Writing {
  const follows = change.slug === undefined ? slugFollows : change.slug === ''
  const next = { ...fields, ...change }
  if (follows && change.title !== undefined) next.slug = slugOf(next.title)
  return { fields: next, slugFollows: follows }
}

/** What is sent: tags apart, and nothing where nothing was typed. */
export function toBody(fields: PostFields) {
  return {
    ...fields,
    tags: tagsOf(fields.tags),
    excerpt: fields.excerpt || null,
    featuredImage: fields.featuredImage || null,
    metaTitle: fields.metaTitle || null,
    metaDescription: fields.metaDescription || null,
    publishedAt: fields.publishedAt || null,
  } satisfies Written
}

/** One sentence for each field that stands in the way of saving. */
export function errorsOf(fields: PostFields): Record<string, string> {
  const read = postBody.safeParse(toBody(fields))
  return read.success ? {} : byField(firstErrors(read.error))
}

/** A tag has no field of its own. */
export function byField(errors: Record<string, string>): Record<string, string> {
  const found: Record<string, string> = {}
  for (const [path, sentence] of Object.entries(errors)) found[path.split('.')[0] ?? path] ??= sentence
  return found
}

const names = Object.keys(nothing)

/** Whether two forms hold the same. */
export function isSame(one: PostFields, other: PostFields): boolean {
  return names.every((name) => Reflect.get(one, name) === Reflect.get(other, name))
}

export function stateOf({ published, publishedAt }: Pick<Post, 'published' | 'publishedAt'>, now = Date.now()): PostStatus {
  if (!published) return 'draft'
  return publishedAt && Date.parse(publishedAt) > now ? 'scheduled' : 'published'
}
