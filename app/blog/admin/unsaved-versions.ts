import type { PostDraft } from '#app/blog/posts/draft.ts'
import type { Post } from '#app/blog/posts/post.ts'
import { isEmpty, type LocalCopy } from './local-copy.ts'
import { postFields, isSamePost, type PostFields, newPostEdit } from './post-fields.ts'

/** The values that a form opens with. */
export type InitialPost = {
  fields: PostFields
  /** The version of the post that the fields come from; `undefined` for a new post. */
  baseVersion: number | undefined
  /** The last known version of the draft on the server. */
  draftVersion: number | undefined
  /** Whether the server does not have these fields yet. */
  isUnsent: boolean
}

/** Unsaved versions to choose from before the form opens. */
export type UnsavedVersions = { local: InitialPost | undefined; keptAt: number; draft: InitialPost | undefined; saved: InitialPost }

/** Finds the versions that differ from the saved post; those that do not are skipped. */
export function unsavedVersionsOf(post: Post | undefined, draft: PostDraft | null, copy: LocalCopy | undefined): UnsavedVersions {
  const fields = post ? postFields(post) : newPostEdit().fields
  const draftVersion = draft?.version
  const saved = { fields, baseVersion: post?.version, draftVersion, isUnsent: false }
  const drafted = draft && { fields: postFields(draft.fields), baseVersion: draft.baseVersion, draftVersion, isUnsent: false }
  const local = copy && { fields: copy.fields, baseVersion: copy.baseVersion ?? post?.version, draftVersion, isUnsent: true }
  const isNews = (given: InitialPost) => !isEmpty(given.fields) && !isSamePost(given.fields, fields)
  return {
    saved,
    keptAt: copy?.at ?? 0,
    draft: drafted && isNews(drafted) ? drafted : undefined,
    local: local && isNews(local) && !(drafted && isSamePost(local.fields, drafted.fields)) ? local : undefined,
  }
}
