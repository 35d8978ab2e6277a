import { z } from 'zod/mini'
import type { PostFields } from './post-fields.ts'

const fields = z.object({
  title: z.string(),
  slug: z.string(),
  content: z.string(),
  excerpt: z.string(),
  tags: z.string(),
  featuredImage: z.string(),
  metaTitle: z.string(),
  metaDescription: z.string(),
  published: z.boolean(),
  publishedAt: z.string(),
})

/** What this browser keeps of a post until the server has it. `baseVersion` is the version of the post that it began from. */
const localCopy = z.object({ fields, baseVersion: z.optional(z.number()), draftVersion: z.optional(z.number()), at: z.number() })

export type LocalCopy = z.infer<typeof localCopy>

/** Under the name of its writer: another who uses this browser does not find it in their form. */
export const keyOf = (viewerId: string, postId: string | undefined) => `winnow:post:${viewerId}:${postId ?? 'new'}`

/** Answers `false` where the browser keeps nothing, or no more. */
export function keepLocally(key: string, copy: LocalCopy): boolean {
  try {
    localStorage.setItem(key, JSON.stringify(copy))
    return true
  } catch {
    return false
  }
}

export function findLocally(key: string): LocalCopy | undefined {
  try {
    const read = localCopy.safeParse(JSON.parse(localStorage.getItem(key) ?? 'null'))
    return read.success ? read.data : undefined
  } catch {
    return undefined
  }
}

export function forgetLocally(key: string): void {
  try {
    localStorage.removeItem(key)
  } catch {
    // Where nothing can be kept, nothing was.
  }
}

export function isEmpty(given: PostFields): boolean {
  return !Object.values(given).some((value) => value !== '' && value !== false)
}
