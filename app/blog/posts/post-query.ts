import { z } from 'zod/mini'
import { atMost } from '#app/platform/text/clean-text.ts'
import { publishedPost } from './post.ts'

/** Maximum posts in a list without parameters. */
export const POST_LIST_MAX = 1_000
const PAGE_SIZE = 50
const PAGE_MAX = 200
const PAGE = `A page must have 1 to ${PAGE_MAX} posts.`
const NUMBER = 'Pages count from 1.'

/** `draft`: unpublished. `scheduled`: published, but in the future. `published`: visible to readers. */
export const statuses = ['published', 'scheduled', 'draft'] as const

export type PostStatus = (typeof statuses)[number]

const printable = z.regex(/^\P{Cc}*$/u, 'Use letters, digits and punctuation only.')

export const postQuery = z.object({
  published: z.optional(z.enum(['true', 'false'], 'published must be true or false')),
  q: z._default(z.string('Search for one text.').check(z.trim(), ...atMost(200, 'Search for at most 200 characters.'), printable), ''),
  tag: z.optional(z.string('Choose one tag.').check(z.maxLength(100, 'Tag not found.'), printable)),
  status: z.optional(z.enum(statuses, 'Unknown status.')),
  page: z._default(
    z.coerce.number(NUMBER).check(z.int(NUMBER), z.minimum(1, NUMBER), z.maximum(1_000_000, 'This page does not exist.')),
    1,
  ),
  limit: z._default(z.coerce.number(PAGE).check(z.int(PAGE), z.minimum(1, PAGE), z.maximum(PAGE_MAX, PAGE)), PAGE_SIZE),
})

export type PostQuery = z.infer<typeof postQuery>

/** A post without its content, for writers. `hasDraft` means that it has unsaved changes. */
const { content: _content, ...listedFields } = publishedPost.shape

export const listedPost = z.object({ ...listedFields, hasDraft: z.boolean() })

export type PostSummary = z.infer<typeof listedPost>

/** One page, newest first. */
export const postPage = z.object({ items: z.array(listedPost), total: z.number(), page: z.number(), pages: z.number() })

export type PostPage = z.infer<typeof postPage>

/** Whole posts without parameters or with `published` alone, else one page of the list. */
export const postList = z.union([z.array(publishedPost), postPage])
