import { z } from 'zod/mini'
import { post } from './post.ts'

/** The most that the list without parameters answers. */
export const LIST_MAX = 1_000
const PAGE_SIZE = 50
const PAGE_MAX = 200
const PAGE = `A page has 1 to ${PAGE_MAX} posts.`
const NUMBER = 'Pages count from 1.'

/** `draft`: not published. `scheduled`: published, its time is still to come. `published`: readers see it. */
export const statuses = ['published', 'scheduled', 'draft'] as const

export type PostStatus = (typeof statuses)[number]

const printable = z.regex(/^\P{Cc}*$/u, 'Use letters, digits and signs.')

export const postQuery = z.object({
  published: z.optional(z.enum(['true', 'false'], 'published is true or false')),
  q: z._default(z.string('Search for one text.').check(z.trim(), z.maxLength(200, 'Search for at most 200 characters.'), printable), ''),
  tag: z.optional(z.string('Choose one tag.').check(z.maxLength(100, 'There is no such tag.'), printable)),
  status: z.optional(z.enum(statuses, 'There is no such status.')),
  page: z._default(z.coerce.number(NUMBER).check(z.int(NUMBER), z.minimum(1, NUMBER), z.maximum(1_000_000, 'There is no such page.')), 1),
  limit: z._default(z.coerce.number(PAGE).check(z.int(PAGE), z.minimum(1, PAGE), z.maximum(PAGE_MAX, PAGE)), PAGE_SIZE),
})

export type PostQuery = z.infer<typeof postQuery>

/** A post in the list of those who write: all but its content. `hasDraft` says that someone is changing it. */
export const listedPost = z.object({ ...z.omit(post, { content: true }).shape, hasDraft: z.boolean() })

export type ListedPost = z.infer<typeof listedPost>

/** One page of them, newest first. */
export const postPage = z.object({ items: z.array(listedPost), total: z.number(), page: z.number(), pages: z.number() })

export type PostPage = z.infer<typeof postPage>

/** Whole posts where nothing is asked for, or only whether they are public; pages of the list for all else. */
export const postList = z.union([z.array(post), postPage])
