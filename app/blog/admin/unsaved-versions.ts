import { isEmptyDraft, NEVER_SAVED, type PostDraft } from '#app/blog/posts/draft.ts'
import type { Post } from '#app/blog/posts/post.ts'
import type { LocalCopy } from './local-copy.ts'
import { postFields, isSamePost, type PostFields, savedFields } from './post-fields.ts'

/** The values that a form opens with. */
export type InitialPost = {
  fields: PostFields
  /** The version of the post that the fields come from. */
  baseVersion: number
  /** The last known version of the draft on the server. */
  draftVersion: number | undefined
  /** Whether the server does not have these fields yet. */
  isUnsent: boolean
}

/** Unsaved versions to choose from before the form opens. `only`: the one to continue from without a question. */
export type UnsavedVersions = {
  local: InitialPost | undefined
  keptAt: number
  draft: InitialPost | undefined
  saved: InitialPost
  only: InitialPost | undefined
}

/** Finds the versions that differ from the saved post; those that do not are skipped. */
export function unsavedVersionsOf(post: Post, draft: PostDraft | null, copy: LocalCopy | undefined): UnsavedVersions {
  const fields = savedFields(post)
  const draftVersion = draft?.version
  const saved = { fields, baseVersion: post.version, draftVersion, isUnsent: false }
  const drafted = draft ? { fields: postFields(draft.fields), baseVersion: draft.baseVersion, draftVersion, isUnsent: false } : undefined
  const kept = copy && { fields: copy.fields, baseVersion: copy.baseVersion ?? post.version, draftVersion, isUnsent: true }
  const isNews = (given: InitialPost) => !isEmptyDraft(given.fields) && !isSamePost(given.fields, fields)
  const local = kept && isNews(kept) && !(drafted && isSamePost(kept.fields, drafted.fields)) ? kept : undefined
  const found = { saved, keptAt: copy?.at ?? 0, draft: drafted && isNews(drafted) ? drafted : undefined, local }
  // The copy comes after all that the server has: it was only never sent.
  const isNext = local && copy?.draftVersion === draftVersion && local.baseVersion === post.version
  if (isNext) return { ...found, only: local }
  // Of a post that was never saved, the draft is all there is.
  return { ...found, only: post.version === NEVER_SAVED && !local ? (drafted ?? saved) : undefined }
}
