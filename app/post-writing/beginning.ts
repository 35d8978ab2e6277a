import type { Draft } from '#app/drafts/draft.ts'
import type { Post } from '#app/posts/post.ts'
import { isEmpty, type LocalCopy } from './local-copy.ts'
import { fieldsOf, isSame, type PostFields, startNew } from './post-fields.ts'

/** With what the form opens. */
export type Beginning = {
  fields: PostFields
  /** The version of the post that the fields were made from; nothing for a new post. */
  baseVersion: number | undefined
  /** The version of the draft on the server that was seen. */
  draftVersion: number | undefined
  /** Whether the server does not have these fields yet. */
  isUnsent: boolean
}

/** What someone may have left behind, to choose from before the form opens. */
export type Left = { local: Beginning | undefined; keptAt: number; draft: Beginning | undefined; saved: Beginning }

/** Nothing that differs from what is saved is passed over, and nothing that does not is asked about. */
export function leftOf(post: Post | undefined, draft: Draft | null, copy: LocalCopy | undefined): Left {
  const fields = post ? fieldsOf(post) : startNew().fields
  const draftVersion = draft?.version
  const saved = { fields, baseVersion: post?.version, draftVersion, isUnsent: false }
  const drafted = draft && { fields: fieldsOf(draft.fields), baseVersion: draft.baseVersion, draftVersion, isUnsent: false }
  const local = copy && { fields: copy.fields, baseVersion: copy.baseVersion ?? post?.version, draftVersion, isUnsent: true }
  const isNews = (given: Beginning) => !isEmpty(given.fields) && !isSame(given.fields, fields)
  return {
    saved,
    keptAt: copy?.at ?? 0,
    draft: drafted && isNews(drafted) ? drafted : undefined,
    local: local && isNews(local) && !(drafted && isSame(local.fields, drafted.fields)) ? local : undefined,
  }
}
