import { z } from 'zod/mini'
import { atMost, manyLines, oneLine } from '#app/platform/text/clean-text.ts'
import { isImageAddress } from '#app/platform/text/image-address.ts'
import { numberText } from '#app/platform/text/english-number.ts'
import { momentIn } from '#app/platform/time/iso-moment.ts'
import { UUID, uuid } from '#app/platform/text/uuid.ts'

export const POSTS = '/api/blog'

/** Maximum lengths in characters; of tags also their number. */
export const SLUG_MAX = 120
export const CONTENT_MAX = 200_000
/** Of the fields that are one text. */
export const textLimits = { title: 200, excerpt: 500, featuredImageAlt: 300, metaTitle: 120, metaDescription: 320 } as const
const ADDRESS_MAX = 2_000
export const TAG_MAX = 40
export const TAGS_MAX = 20

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
    .slice(0, SLUG_MAX)
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

const requiredText = (label: string, most: number) =>
  z
    .string(`${label} is required`)
    .check(z.overwrite(oneLine), z.minLength(1, `${label} is required`), ...atMost(most, `${label} must be at most ${most} characters`))

const optionalText = (label: string, most: number) =>
  z.nullish(z.string(`${label} must be text`).check(z.overwrite(oneLine), ...atMost(most, `${label} must be at most ${most} characters`)))

const slug = z.string('Slug is required').check(
  z.trim(),
  z.minLength(1, 'Slug is required'),
  ...atMost(SLUG_MAX, `Slug must be at most ${SLUG_MAX} characters`),
  z.regex(SLUG, 'Slug can have lowercase letters, digits and single hyphens between them'),
  z.refine((given) => !UUID.test(given) && !RESERVED.has(given), 'This slug is reserved'),
)

const content = z
  .string('Content is required')
  .check(
    z.overwrite(manyLines),
    z.minLength(1, 'Content is required'),
    ...atMost(CONTENT_MAX, `Content must be at most ${numberText(CONTENT_MAX)} characters`),
  )

/** One tag; empty ones are dropped from a list. */
export const postTag = z
  .string('A tag must be text')
  .check(z.overwrite(oneLine), ...atMost(TAG_MAX, `A tag must be at most ${TAG_MAX} characters`))

const tags = z._default(
  z.array(postTag, 'Tags must be a list').check(
    z.overwrite((given) => [...new Set(given.filter(Boolean))]),
    z.maxLength(TAGS_MAX, `At most ${TAGS_MAX} tags`),
  ),
  [],
)

export const NO_FEATURED_IMAGE = 'Featured image must be an http(s) URL or an uploaded image'

/** An http(s) URL, or the path of an image in our own storage. The server never fetches it. */
const featuredImage = z.nullish(
  z.string('Featured image must be a URL').check(
    z.trim(),
    z.maxLength(ADDRESS_MAX, 'This URL is too long'),
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
const moment = z.nullish(z.string(MOMENT).check(z.refine((given) => ISO.test(given) && momentIn(given) !== undefined, MOMENT)))

const TOO_LONG = 'This is too long to save.'

/** Any text, valid or not, except characters that PostgreSQL cannot store. */
const anyText = (message: string, most: number) =>
  z.string(message).check(
    z.overwrite((given) => given.toWellFormed().replaceAll('\0', '')),
    ...atMost(most, TOO_LONG),
  )

/** A field that the form shows as text. A draft of it may be invalid, so `draftMax` is generous. */
const textField = <Given extends z.core.$ZodType, Stored extends z.core.$ZodType>(
  label: string,
  given: Given,
  stored: Stored,
  draftMax: number,
) => ({ label, given, stored, draft: z.nullish(anyText('This must be text', draftMax)), typed: z._default(z.string(), '') })

const stored = z.nullable(z.string())

/**
 * Every field that staff write, in the order of the form: its label, and its schema in a request (`given`), in a response (`stored`),
 * in a draft and in the form (`typed`). All other lists of fields are derived from it.
 */
const postTable = {
  title: textField('Title', requiredText('Title', textLimits.title), z.string(), 2_000),
  slug: textField('Slug', slug, z.string(), 10 * SLUG_MAX),
  content: textField('Content', content, z.string(), 2 * CONTENT_MAX),
  excerpt: textField('Excerpt', optionalText('Excerpt', textLimits.excerpt), z.string(), 5_000),
  tags: {
    label: 'Tags',
    given: tags,
    stored: z.array(z.string()),
    draft: z.optional(
      z
        .array(anyText('A tag must be text', 10 * TAG_MAX), 'Tags must be a list')
        .check(z.maxLength(10 * TAGS_MAX, 'There are too many tags to save.')),
    ),
    /** Separated by commas. */
    typed: z._default(z.string(), ''),
  },
  featuredImage: textField('Featured image', featuredImage, stored, 2 * ADDRESS_MAX),
  featuredImageAlt: textField('Alt text', optionalText('Alt text', textLimits.featuredImageAlt), stored, 3_000),
  metaTitle: textField('Meta title', optionalText('Meta title', textLimits.metaTitle), stored, 1_200),
  metaDescription: textField('Meta description', optionalText('Meta description', textLimits.metaDescription), stored, 3_200),
  published: {
    label: 'Published',
    given: z._default(z.boolean('Published must be true or false'), false),
    stored: z.boolean(),
    draft: z.optional(z.boolean('Published must be true or false')),
    typed: z._default(z.boolean(), false),
  },
  /** ISO 8601. Empty in the form: the time of publishing. */
  publishedAt: textField('Publication date and time', moment, stored, 100),
}

type PostTable = typeof postTable
export type PostFieldName = keyof PostTable

/** One column of the table. */
function columnOf<Column extends keyof PostTable['tags']>(column: Column) {
  const cells = Object.entries(postTable).map(([name, field]) => [name, field[column]])
  // TypeScript does not carry the names of keys through entries.
  const found: { [Name in PostFieldName]: PostTable[Name][Column] } = Object.fromEntries(cells)
  return found
}

/** The names of the fields, in the order of the form. */
export const postFieldNames = z.keyof(z.object(columnOf('typed'))).options

export const postLabels: Readonly<Record<PostFieldName, string>> = columnOf('label')

/** The values of the editor's form, valid or not. Missing ones are empty. */
export const typedPost = z.object(columnOf('typed'))

/** The same values on their way through the API. */
export const draftFields = z.object(columnOf('draft'))

export type DraftFields = z.infer<typeof draftFields>

/** The body of a request to create or replace a post. Only the owner can change `authorId`. */
export const postBody = z.object({
  ...columnOf('given'),
  authorId: z.nullish(uuid('An author must be an id')),
})

export type PostBody = z.infer<typeof postBody>

/** The fields that the database and each version of a post store. */
export const storedFields = z.object({ ...columnOf('stored'), authorId: z.string() })

/** A post as the API returns it. Times are ISO 8601; `words` counts the content, `version` the changes. */
export const publishedPost = z.object({
  id: z.string(),
  ...storedFields.shape,
  words: z.number(),
  readingMinutes: z.number(),
  version: z.number(),
  createdAt: z.string(),
  updatedAt: z.string(),
})

export type Post = z.infer<typeof publishedPost>

/** A heading in the table of contents. */
export type PostHeading = { id: string; depth: number; title: string }

export const postUrl = (id: string) => `${POSTS}/${encodeURIComponent(id)}`
export const draftUrl = (id: string) => `${postUrl(id)}/draft`
