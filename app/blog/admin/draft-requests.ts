import { type PostDraft, draft, type DraftState, draftState } from '#app/blog/posts/draft.ts'
import { ApiError, apiRequest } from '#app/platform/browser/api.ts'
import { draftUrl } from './post-url.ts'
import { type PostFields, toBody } from './post-fields.ts'

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

/** Whether the server refused because someone else changed the draft. */
export function isEditConflict(error: unknown): boolean {
  return error instanceof ApiError && error.problem?.code === 'edit_conflict'
}
