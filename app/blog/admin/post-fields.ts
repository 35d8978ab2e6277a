import type { z } from 'zod/mini'
import type { FormEdit } from '#app/ui/admin/use-edit-form.ts'
import { localMoment } from '#app/ui/moment.ts'
import { firstErrors } from '#app/platform/browser/first-errors.ts'
import { type DraftFields, type Post, postBody, postFieldNames, slugOf, storedFields, tagsOf, typedPost } from '#app/blog/posts/post.ts'
import { NEVER_SAVED } from '#app/blog/posts/draft.ts'
import type { PostStatus } from '#app/blog/posts/post-query.ts'

/** The values of the form, valid or not. */
export type PostFields = z.infer<typeof typedPost>

export type PostEdit = FormEdit<PostFields>

export type PostFieldChange = Partial<PostFields>

const nothing = typedPost.parse({})

export function postFields({ tags, ...post }: DraftFields): PostFields {
  const given = Object.entries(post).filter(([, value]) => value !== null)
  return typedPost.parse({ ...Object.fromEntries(given), tags: (tags ?? []).join(', ') })
}

/** The fields of the last save. A post that was never saved has none. */
export function savedFields(post: Post): PostFields {
  return post.version === NEVER_SAVED ? nothing : postFields(post)
}

/** A new post before the server knows it. */
export function unsavedPost(id: string): Post {
  const moment = new Date().toISOString()
  const empty = Object.entries(storedFields.shape).map(([name, schema]) => [name, schema.safeParse(null).success ? null : ''])
  const fields = storedFields.parse({ ...Object.fromEntries(empty), tags: [], published: false })
  return { id, ...fields, words: 0, readingMinutes: 0, version: NEVER_SAVED, createdAt: moment, updatedAt: moment }
}

/** A public or hand-written slug no longer follows the title, because links to it may exist. */
export function editPost(fields: PostFields = nothing, wasPublic = false): PostEdit {
  return { fields, slugFollows: !wasPublic && (fields.slug === '' || fields.slug === slugOf(fields.title)) }
}

/** Applies typed values. The slug follows the title until it is edited, and again once it is emptied. */
export function changePostField({ fields, slugFollows }: PostEdit, change: PostFieldChange): PostEdit {
  const follows = change.slug === undefined ? slugFollows : change.slug === ''
  const next = { ...fields, ...change }
  if (follows && change.title !== undefined) next.slug = slugOf(next.title)
  return { fields: next, slugFollows: follows }
}

/** Sent even when empty, so that a draft can lack them. */
const required: ReadonlySet<string> = new Set(['title', 'slug', 'content'])

/** The request body: tags as a list, empty fields left out. */
export function toBody(fields: PostFields): DraftFields {
  const given = Object.entries(fields).map(([name, value]) => [name, value === '' && !required.has(name) ? null : value])
  return { ...Object.fromEntries(given), tags: tagsOf(fields.tags) }
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

export function isSamePost(one: PostFields, other: PostFields): boolean {
  return postFieldNames.every((name) => one[name] === other[name])
}

export function stateOf({ published, publishedAt }: Pick<Post, 'published' | 'publishedAt'>, now = Date.now()): PostStatus {
  if (!published) return 'draft'
  return publishedAt && Date.parse(publishedAt) > now ? 'scheduled' : 'published'
}

/** The browser's time zone. */
export const timeZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone

/** Formats a time for a `datetime-local` field: local, to the minute. */
export function toClock(moment: string): string {
  return Number.isNaN(Date.parse(moment)) ? '' : localMoment(moment)
}

/** Parses the local time of a `datetime-local` field. */
export function fromClock(clock: string): string {
  const date = new Date(clock)
  return clock === '' || Number.isNaN(date.getTime()) ? '' : date.toISOString()
}
