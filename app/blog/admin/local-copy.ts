import { z } from 'zod/mini'
import { typedPost } from '#app/blog/posts/post.ts'
import type { PostFields } from './post-fields.ts'

/** The browser's copy of a post until the server has it. `baseVersion` is the version of the post that it is based on. */
const localCopy = z.object({ fields: typedPost, baseVersion: z.optional(z.number()), draftVersion: z.optional(z.number()), at: z.number() })

export type LocalCopy = z.infer<typeof localCopy>

/** Keyed by user: other people who use this browser must not see it. */
export const localCopyKey = (currentUserId: string, postId: string | undefined) => `winnow:post:${currentUserId}:${postId ?? 'new'}`

/** Returns `false` when storage is unavailable or full. */
export function saveLocally(key: string, copy: LocalCopy): boolean {
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

export function deleteLocally(key: string): void {
  try {
    localStorage.removeItem(key)
  } catch {
    // Without storage there is no copy to delete.
  }
}

export function isEmpty(given: PostFields): boolean {
  return !Object.values(given).some((value) => value !== '' && value !== false)
}
