import { type PostBody, postBody, type PostFieldName, postFieldNames, slugOf, tagsOf } from '#app/blog/posts/post.ts'
import type { Matter } from './front-matter.server.ts'
import { isPictureHere } from './picture-link.ts'

/** Field names of other programs; the first one present counts. Without any, a field has its own name. */
const names: Partial<Record<PostFieldName, readonly string[]>> = {
  excerpt: ['excerpt', 'description', 'summary', 'customexcerpt'],
  tags: ['tags', 'tag', 'keywords', 'categories'],
  featuredImage: ['featuredimage', 'featureimage', 'cover', 'coverimage', 'image', 'thumbnail', 'hero'],
  metaTitle: ['metatitle', 'seotitle'],
  metaDescription: ['metadescription', 'seodescription'],
  publishedAt: ['date', 'publishedat', 'publishdate', 'pubdate'],
}

/** `cover` is a path relative to the file. */
type Read = { body: PostBody; cover: string | undefined }

type Given = (field: PostFieldName) => unknown

function givenIn(matter: Matter): Given {
  return (field) =>
    (names[field] ?? [field.toLowerCase()]).map((each) => matter.get(each)).find((value) => value !== undefined && value !== null)
}

/** The date in the front matter or in the name of the file, as it is written. */
export function writtenDate(name: string, matter: Matter): string | undefined {
  return textOf(givenIn(matter)('publishedAt')) ?? partsOf(name).date
}

/** The post in a file, or the reason why there is none. */
export function readPost(
  name: string,
  matter: Matter,
  { text, moment }: { text: string; moment: Date | undefined },
): Read | { reason: string } {
  const given = givenIn(matter)
  const { slug: slugOfName } = partsOf(name)
  const [, heading, rest = ''] = /^\s*# +([^\n]+)\n?(.*)$/s.exec(text) ?? []
  const title = textOf(given('title'))
  const picture = pictureOf(given('featuredImage'))
  const cover = picture && isPictureHere(picture) ? picture : undefined
  const read = postBody.safeParse({
    ...Object.fromEntries(postFieldNames.map((field) => [field, textOf(given(field))])),
    title: title ?? heading ?? slugOfName.replaceAll('-', ' '),
    slug: textOf(given('slug'))?.replaceAll(/^.*\/(?=[^/])|\/$/g, '') ?? (slugOf(slugOfName) || slugOf(title ?? heading ?? '')),
    content: title === undefined && heading !== undefined ? rest : text,
    featuredImage: cover ? null : picture,
    tags: listOf(given('tags')),
    published: isPublished(matter),
    publishedAt: moment?.toISOString(),
  })
  return read.success
    ? { body: read.data, cover }
    : { reason: [...new Set(read.error.issues.map(({ message }) => message))].join('. ') + '.' }
}

/** `2024-05-01-title.md` or `title/index.md`, which takes the name of its folder. */
function partsOf(name: string): { date: string | undefined; slug: string } {
  const parts = name.replace(/\.[^./]+$/, '').split('/')
  const last = parts.at(-1) ?? ''
  const own = /^_?index$/i.test(last) && parts.length > 1 ? (parts.at(-2) ?? '') : last
  const [, date, slug = own] = /^(\d{4}-\d{2}-\d{2})-(.+)$/.exec(own) ?? []
  return { date, slug }
}

const HIDDEN = /^(draft|private|pending|hidden|unpublished)$/i

/** A file without a status is a draft, and so is one that any of its fields hides: nothing is published by accident. */
function isPublished(matter: Matter): boolean {
  const [published, draft, status] = ['published', 'draft', 'status'].map((name) => matter.get(name))
  const says = (value: unknown, words: RegExp) => words.test(textOf(value)?.trim() ?? '')
  if (says(draft, /^(true|yes|on)$/i) || says(published, /^(false|no|off)$/i) || says(status, HIDDEN)) return false
  return draft === false || published === true || status === 'published'
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}

function listOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.map(textOf).filter((each) => each !== undefined)
  return tagsOf(textOf(value) ?? '')
}

/** Some programs nest the image one level deeper. */
function pictureOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return textOf(value)
  const found = Object.entries(value).find(([name]) => /^(image|src|url|relative)$/.test(name))
  return textOf(found?.[1])
}
