import { firstErrors } from '#app/platform/browser/first-errors.ts'
import { type Post, type PostBody, postBody, slugOf, tagsOf } from '#app/blog/posts/post.ts'
import type { PostStatus } from '#app/blog/posts/post-query.ts'

/** The values of the form, valid or not. */
export type PostFields = {
  title: string
  slug: string
  content: string
  excerpt: string
  /** Separated by commas. */
  tags: string
  featuredImage: string
  metaTitle: string
  metaDescription: string
  published: boolean
  /** ISO 8601, or empty for the time of publishing. */
  publishedAt: string
}

/** The fields, and whether the slug still follows the title. */
export type PostEdit = { fields: PostFields; slugFollows: boolean }

export type PostFieldChange = Partial<PostFields>

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

/** The editable fields of a post; in a draft any of them may be missing. */
export type Written = { [Name in Exclude<keyof PostBody, 'authorId'>]?: PostBody[Name] | null | undefined }

export function postFields(post: Written): PostFields {
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

/** A new post, or an unsaved draft of one. */
export function newPostEdit(fields = nothing): PostEdit {
  return { fields, slugFollows: fields.slug === '' || fields.slug === slugOf(fields.title) }
}

/** A public or hand-written slug no longer follows the title, because links to it may exist. */
export function editPost(post: Written, wasPublic: boolean): PostEdit {
  const fields = postFields(post)
  return { fields, slugFollows: !wasPublic && (fields.slug === '' || fields.slug === slugOf(fields.title)) }
}

/** Applies typed values. The slug follows the title until it is edited, and again once it is emptied. */
export function changePostField({ fields, slugFollows }: PostEdit, change: PostFieldChange): PostEdit {
  const follows = change.slug === undefined ? slugFollows : change.slug === ''
  const next = { ...fields, ...change }
  if (follows && change.title !== undefined) next.slug = slugOf(next.title)
  return { fields: next, slugFollows: follows }
}

/** The request body: tags as a list, empty fields left out. */
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

/** One message per invalid field. */
export function errorsOf(fields: PostFields): Record<string, string> {
  const read = postBody.safeParse(toBody(fields))
  return read.success ? {} : byField(firstErrors(read.error))
}

/** Errors of single tags belong to the field of all tags. */
export function byField(errors: Record<string, string>): Record<string, string> {
  const found: Record<string, string> = {}
  for (const [path, sentence] of Object.entries(errors)) found[path.split('.')[0] ?? path] ??= sentence
  return found
}

const names = Object.keys(nothing)

export function isSamePost(one: PostFields, other: PostFields): boolean {
  return names.every((name) => Reflect.get(one, name) === Reflect.get(other, name))
}

export function stateOf({ published, publishedAt }: Pick<Post, 'published' | 'publishedAt'>, now = Date.now()): PostStatus {
  if (!published) return 'draft'
  return publishedAt && Date.parse(publishedAt) > now ? 'scheduled' : 'published'
}

/** The browser's time zone. */
export const timeZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone

/** Formats a time for a `datetime-local` field: local, to the minute. */
export function toClock(moment: string): string {
  const date = new Date(moment)
  if (moment === '' || Number.isNaN(date.getTime())) return ''
  const two = (part: number) => String(part).padStart(2, '0')
  const day = `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`
}

/** Parses the local time of a `datetime-local` field. */
export function fromClock(clock: string): string {
  const date = new Date(clock)
  return clock === '' || Number.isNaN(date.getTime()) ? '' : date.toISOString()
}
