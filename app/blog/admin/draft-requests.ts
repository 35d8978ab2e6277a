import { z } from 'zod/mini'
import { type PostDraft, draft, type DraftState, draftState } from '#app/blog/posts/draft.ts'
import { ApiError, apiRequest } from '#app/platform/browser/api.ts'
import { draftUrl } from '#app/blog/posts/post.ts'
import type { DraftVerdict } from './draft-saver.ts'
import { isSamePost, type PostFields, postFields, toBody } from './post-fields.ts'

const over = (version: number | undefined) => (version === undefined ? undefined : { 'if-match': `"${version}"` })

export async function fetchDraft(postId: string): Promise<DraftState> {
  return draftState.parse(await (await apiRequest('GET', draftUrl(postId))).json())
}

/**
 * Saves the fields as the draft of a post. Fails if the draft on the server has another version; without a version, if there is any draft.
 */
export async function sendDraft(postId: string, fields: PostFields, baseVersion: number, version: number | undefined): Promise<PostDraft> {
  const headers = { 'content-type': 'application/json', ...over(version) }
  return draft.parse(await (await apiRequest('PUT', draftUrl(postId), { fields: toBody(fields), baseVersion }, { headers })).json())
}

export async function requestDraftDeletion(postId: string, version: number | undefined): Promise<void> {
  const headers = over(version)
  await apiRequest('DELETE', draftUrl(postId), undefined, headers && { headers })
}

const conflict = z.object({ current: z.nullable(draft) })
/** Deleted, too long, or not a draft: the same request would be refused again. */
const REFUSED = new Set([403, 404, 410, 413, 422])

/** Judges why a draft was not saved. A response can be lost: then the draft on the server holds what was sent before. */
export function judgeFailure(error: unknown, tried: readonly PostFields[]): DraftVerdict {
  if (!(error instanceof ApiError)) return { kind: 'failed', isOffline: true }
  if (error.problem?.code === 'edit_conflict') {
    const read = conflict.safeParse(error.problem)
    if (!read.success) return { kind: 'taken' }
    const { current } = read.data
    // Saved or discarded elsewhere, so there is nothing to overwrite.
    if (!current) return { kind: 'adopt', version: undefined }
    const isOwn = tried.some((fields) => isSamePost(postFields(toBody(fields)), postFields(current.fields)))
    return isOwn ? { kind: 'adopt', version: current.version } : { kind: 'taken', theirs: current }
  }
  return REFUSED.has(error.status) ? { kind: 'refused', reason: error.detail } : { kind: 'failed', isOffline: false }
}

/** A UUID of version 7 for a new post. The editor chooses it, so a repeated request begins no second post. */
export function newPostId(now = Date.now()): string {
  const time = now.toString(16).padStart(12, '0')
  const random = [...crypto.getRandomValues(new Uint8Array(10))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  const variant = '89ab'[Number.parseInt(random[3] ?? '', 16) % 4]
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(0, 3)}-${variant}${random.slice(4, 7)}-${random.slice(7, 19)}`
}
