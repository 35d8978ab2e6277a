import { z } from 'zod/mini'
import { isImageAddress } from '#app/platform/image-address.ts'
import { characterCount, manyLines, oneLine } from '#app/platform/clean-text.ts'

export const POSTS = '/api/blog'

/** Maximum lengths in characters; for tags also their number. */
export const postLimits = {
  title: 200,
  slug: 120,
  excerpt: 500,
  content: 200_000,
  tag: 40,
  tags: 20,
  address: 2_000,
  metaTitle: 120,
  metaDescription: 320,
} as const

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i
const SLUG = /^[a-z\d]+(-[a-z\d]+)*$/
/** Paths below `/blog` with another meaning. */
const RESERVED = new Set([
  'feed',
  'rss',
  'atom',
  'json',
  'tag',
  'tags',
  'search',
  'page',
  'preview',
  'new',
  'edit',
  'import',
  'export',
  'images',
])

/** Makes a slug from a title: lowercase ASCII, accents removed, single hyphens for spaces, none at the ends. */
export function slugOf(title: string): string {
  return withoutAccents(title)
    .toLowerCase()
    .replaceAll(/[^a-z\d\s-]/g, '')
    .replaceAll(/\s+/g, '-')
    .replaceAll(/-+/g, '-')
    .slice(0, postLimits.slug)
    .replaceAll(/^-|-$/g, '')
}

const special: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  Æ: 'ae',
  œ: 'oe',
  Œ: 'oe',
  ø: 'o',
  Ø: 'o',
  ł: 'l',
  Ł: 'l',
  đ: 'd',
  Đ: 'd',
  ð: 'd',
  Ð: 'd',
  þ: 'th',
  Þ: 'th',
  ı: 'i',
}

function withoutAccents(text: string): string {
  return text
    .replaceAll(/[ßæÆœŒøØłŁđĐðÐþÞı]/g, (letter) => special[letter] ?? letter)
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
}

/** Splits a comma-separated list. */
export function tagsOf(text: string): string[] {
  return [...new Set(text.split(',').map(oneLine).filter(Boolean))]
}

const WORDS_A_MINUTE = 200

/** In minutes, rounded up. */
export function readingMinutes(words: number): number {
  return Math.ceil(words / WORDS_A_MINUTE)
}

export function isPostId(text: string): boolean {
  return UUID.test(text)
}

const text = (label: string, most: number) =>
  z
    .string(`${label} is required`)
    .check(z.overwrite(oneLine), z.minLength(1, `${label} is required`), z.maxLength(most, `${label} must be at most ${most} characters`))

const optional = (label: string, most: number) =>
  z.nullish(z.string(`${label} must be text`).check(z.overwrite(oneLine), z.maxLength(most, `${label} must be at most ${most} characters`)))

const slug = z.string('Slug is required').check(
  z.trim(),
  z.minLength(1, 'Slug is required'),
  z.maxLength(postLimits.slug, `Slug must be at most ${postLimits.slug} characters`),
  z.regex(SLUG, 'Slug can have lowercase letters, digits and single hyphens between them'),
  z.refine((given) => !UUID.test(given) && !RESERVED.has(given), 'This slug is reserved'),
)

const content = z.string('Content is required').check(
  z.overwrite(manyLines),
  z.minLength(1, 'Content is required'),
  z.refine(
    (given) => characterCount(given) <= postLimits.content,
    `Content must be at most ${postLimits.content.toLocaleString('en')} characters`,
  ),
)

const tags = z._default(
  z
    .array(
      z
        .string('A tag must be text')
        .check(z.overwrite(oneLine), z.maxLength(postLimits.tag, `A tag must be at most ${postLimits.tag} characters`)),
      'Tags must be a list',
    )
    .check(
      z.overwrite((given) => [...new Set(given.filter(Boolean))]),
      z.maxLength(postLimits.tags, `At most ${postLimits.tags} tags`),
    ),
  [],
)

export const NO_FEATURED_IMAGE = 'Featured image must be an http(s) URL or an uploaded image'

/** An http(s) URL, or the path of an image in our own storage. The server never fetches it. */
const featuredImage = z.nullish(
  z.string('Featured image must be a URL').check(
    z.trim(),
    z.maxLength(postLimits.address, 'This URL is too long'),
    z.refine((given) => given === '' || isFeaturedImage(given), NO_FEATURED_IMAGE),
  ),
)

/** A relative URL has no host, so any base shows whether it stays below `/images`. `site` recognizes our own absolute URLs. */
export function isFeaturedImage(given: string, site = 'https://site.invalid'): boolean {
  return /^(https?:\/\/|\/images\/)/i.test(given) && isImageAddress(given, site)
}

const MOMENT = 'Publication time must be a date, or a date and time with its zone'
/** ISO 8601 within the range of the database. A time needs a zone, because without one its meaning depends on the machine. */
const ISO = /^(19|[2-9]\d)\d\d-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d))?$/
const moment = z.nullish(z.string(MOMENT).check(z.refine((given) => ISO.test(given) && !Number.isNaN(Date.parse(given)), MOMENT)))

/** The body of a request to create or replace a post. Only the owner can change `authorId`. */
export const postBody = z.object({
  title: text('Title', postLimits.title),
  slug,
  content,
  excerpt: optional('Excerpt', postLimits.excerpt),
  featuredImage,
  tags,
  metaTitle: optional('Meta title', postLimits.metaTitle),
  metaDescription: optional('Meta description', postLimits.metaDescription),
  published: z._default(z.boolean('Published must be true or false'), false),
  publishedAt: moment,
  authorId: z.nullish(z.string('An author must be an id').check(z.regex(UUID, 'An author must be an id'))),
})

export type PostBody = z.infer<typeof postBody>

/** A post as the API returns it. Times are ISO 8601; `words` counts the content, `version` the changes. */
export const publishedPost = z.object({
  id: z.string(),
  slug: z.string(),
  title: z.string(),
  excerpt: z.string(),
  content: z.string(),
  featuredImage: z.nullable(z.string()),
  tags: z.array(z.string()),
  metaTitle: z.nullable(z.string()),
  metaDescription: z.nullable(z.string()),
  published: z.boolean(),
  publishedAt: z.nullable(z.string()),
  authorId: z.string(),
  words: z.number(),
  readingMinutes: z.number(),
  version: z.number(),
  createdAt: z.string(),
  updatedAt: z.string(),
})

export type Post = z.infer<typeof publishedPost>

/** A heading in the table of contents. */
export type PostHeading = { id: string; depth: number; title: string }
