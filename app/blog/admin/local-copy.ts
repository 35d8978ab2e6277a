import { z } from 'zod/mini'
import { typedPost } from '#app/blog/posts/post.ts'
import { isSamePost, type PostFields } from './post-fields.ts'

/** The browser's copy of a post until the server has it. `baseVersion` is the version of the post that it is based on. */
const localCopy = z.object({ fields: typedPost, baseVersion: z.optional(z.number()), draftVersion: z.optional(z.number()), at: z.number() })

export type LocalCopy = z.infer<typeof localCopy>

/** Keyed by user: other people who use this browser must not see it. */
export const localCopyKey = (currentUserId: string, postId: string) => `winnow:post:${currentUserId}:${postId}`

/** The user's copies that the server does not have yet, by the id of their post. */
export function listLocally(currentUserId: string): { postId: string; copy: LocalCopy }[] {
  const beginning = localCopyKey(currentUserId, '')
  try {
    return Object.keys(localStorage).flatMap((key) => {
      const copy = key.startsWith(beginning) ? findLocally(key) : undefined
      return copy ? [{ postId: key.slice(beginning.length), copy }] : []
    })
  } catch {
    return []
  }
}

export function saveLocally(key: string, copy: LocalCopy): void {
  try {
    localStorage.setItem(key, JSON.stringify(copy))
  } catch {
    // Without storage, or with full storage, the form says so while the server cannot be reached.
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

/** Deletes the copy once the server has these fields. Another window may have stored newer ones meanwhile. */
export function deleteAcknowledged(key: string, fields: PostFields): void {
  const copy = findLocally(key)
  if (copy && isSamePost(copy.fields, fields)) deleteLocally(key)
}

/** Forms that were left and still send. The list waits for them, so that no draft is sent twice at the same time. */
export const leavingDrafts = new Set<Promise<void>>()
