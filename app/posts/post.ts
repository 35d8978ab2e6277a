import { z } from 'zod/mini'
import { isImageAddress } from '#app/platform/image-address.ts'
import { characterCount, manyLines, oneLine } from '#app/platform/clean-text.ts'

export const POSTS = '/api/blog'

/** The most that each field takes, in characters; of tags also how many. */
export const limits = {
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
/** Addresses below `/blog` that are none of a post. */
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

/**
 * The address of a post made of its title: lowercase; letters, digits, spaces and hyphens stay, accents go; spaces become hyphens; hyphens in a row
 * become one, and none is left at the ends.
 */
export function slugOf(title: string): string {
  return toPlainLetters(title)
    .toLowerCase()
    .replaceAll(/[^a-z\d\s-]/g, '')
    .replaceAll(/\s+/g, '-')
    .replaceAll(/-+/g, '-')
    .slice(0, limits.slug)
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

function toPlainLetters(text: string): string {
  return text
    .replaceAll(/[ßæÆœŒøØłŁđĐðÐþÞı]/g, (letter) => special[letter] ?? letter)
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
}

/** Tags as they are typed: with commas between them. */
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
  z.maxLength(limits.slug, `Slug must be at most ${limits.slug} characters`),
  z.regex(SLUG, 'Slug may have lowercase letters, digits and single hyphens between them'),
  z.refine((given) => !UUID.test(given) && !RESERVED.has(given), 'This slug is kept for something else'),
)

const content = z.string('Content is required').check(
  z.overwrite(manyLines),
  z.minLength(1, 'Content is required'),
  z.refine((given) => characterCount(given) <= limits.content, `Content must be at most ${limits.content.toLocaleString('en')} characters`),
)

const tags = z._default(
  z
    .array(
      z.string('A tag is text').check(z.overwrite(oneLine), z.maxLength(limits.tag, `A tag must be at most ${limits.tag} characters`)),
      'Tags are a list',
    )
    .check(
      z.overwrite((given) => [...new Set(given.filter(Boolean))]),
      z.maxLength(limits.tags, `At most ${limits.tags} tags`),
    ),
  [],
)

export const NO_FEATURED_IMAGE = 'Featured image must be an http(s) address or an uploaded picture'

/** An http(s) address, or that of a picture in our own storage. Nothing here fetches it. */
const featuredImage = z.nullish(
  z.string('Featured image must be an address').check(
    z.trim(),
    z.maxLength(limits.address, 'This address is too long'),
    z.refine((given) => given === '' || isFeaturedImage(given), NO_FEATURED_IMAGE),
  ),
)

/** A relative address has no host, so any base shows whether it stays below `/images`. `site` tells own addresses that are written in full. */
export function isFeaturedImage(given: string, site = 'https://site.invalid'): boolean {
  return /^(https?:\/\/|\/images\/)/i.test(given) && isImageAddress(given, site)
}

const MOMENT = 'Publication time must be a date, or a date and time with its zone'
/** ISO 8601 within what a calendar and the database have; a time without its zone would mean another moment on each machine. */
const ISO = /^(19|[2-9]\d)\d\d-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d))?$/
const moment = z.nullish(z.string(MOMENT).check(z.refine((given) => ISO.test(given) && !Number.isNaN(Date.parse(given)), MOMENT)))

/** What staff send to make or change a post (rows 151 and 170). `authorId` counts only where an owner hands a post to someone else. */
export const postBody = z.object({
  title: text('Title', limits.title),
  slug,
  content,
  excerpt: optional('Excerpt', limits.excerpt),
  featuredImage,
  tags,
  metaTitle: optional('Meta title', limits.metaTitle),
  metaDescription: optional('Meta description', limits.metaDescription),
  published: z._default(z.boolean('Published is true or false'), false),
  publishedAt: moment,
  authorId: z.nullish(z.string('An author is an id').check(z.regex(UUID, 'An author is an id'))),
})

export type PostBody = z.infer<typeof postBody>

/** A post as the API answers it. Times are ISO 8601; `words` counts the content, `version` the changes. */
export const post = z.object({
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

export type Post = z.infer<typeof post>

/** A heading of a post, for its table of contents. */
export type Heading = { id: string; depth: number; title: string }
