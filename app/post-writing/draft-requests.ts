import { type Draft, draft, type DraftState, draftState } from '#app/drafts/draft.ts'
import { ApiError, apiRequest } from '#app/platform/api.ts'
import { draftUrl } from './post-url.ts'
import { type PostFields, toBody } from './post-fields.ts'

const over = (version: number | undefined) => (version === undefined ? undefined : { 'if-match': `"${version}"` })

export async function readDraft(postId: string): Promise<DraftState> {
  return draftState.parse(await (await apiRequest('GET', draftUrl(postId))).json())
}

/** Keeps the fields as the draft of a post, if the one there is of this version; without a version, if there is none. */
export async function sendDraft(postId: string, fields: PostFields, baseVersion: number, version: number | undefined): Promise<Draft> {
  const headers = { 'content-type': 'application/json', ...over(version) }
  return draft.parse(await (await apiRequest('PUT', draftUrl(postId), { fields: toBody(fields), baseVersion }, { headers })).json())
}

export async function discardDraft(postId: string, version: number | undefined): Promise<void> {
  const headers = over(version)
  await apiRequest('DELETE', draftUrl(postId), undefined, headers && { headers })
}

/** Whether the server refused because another has changed what we have seen. */
export function isTaken(error: unknown): boolean {
  return error instanceof ApiError && error.problem?.code === 'edit_conflict'
}
