import { useState } from 'react'
import type { Post } from '#app/blog/posts/post.ts'
import type { InitialPost } from './unsaved-versions.ts'
import {
  type PostFieldChange,
  errorsOf,
  postFields,
  isSamePost,
  editPost,
  newPostEdit,
  changePostField,
  type PostEdit,
} from './post-fields.ts'
import { useSavePost } from './use-save-post.tsx'

export type PostFormState = ReturnType<typeof usePostForm>

type Given = {
  post: Post | undefined
  beginning: InitialPost
  /** Runs before a save, and again after a refused one. */
  onSaving: () => Promise<void>
  onRefused: () => void
  onSaved: () => void
}

/** The values of the form and its errors. `base` is the version that the server compares a save with. */
export function usePostForm({ post, beginning, onSaving, onRefused, onSaved }: Given) {
  const [base, setBase] = useState(post && { ...post, version: beginning.baseVersion ?? post.version })
  const wasPublic = base?.publishedAt !== undefined && base.publishedAt !== null
  const [writing, setWriting] = useState<PostEdit>(() => (post ? editPost(beginning.fields, wasPublic) : newPostEdit(beginning.fields)))
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [freeSlug, setFreeSlug] = useState<string>()
  const [conflict, setConflict] = useState<Post>()
  const save = useSavePost(base, {
    onSaved,
    onRefused(refused, free) {
      setErrors(refused)
      setFreeSlug(free)
      onRefused()
    },
    onConflict(newer) {
      setConflict(newer)
      onRefused()
    },
  })
  const { fields } = writing

  async function submit(over = base) {
    const found = errorsOf(fields)
    setErrors(found)
    if (Object.keys(found).length > 0) return
    await onSaving()
    save.mutate({ fields, over })
  }

  /** Editing a field clears its error. */
  const change = (given: PostFieldChange) => {
    setWriting((now) => changePostField(now, given))
    const names = Object.keys(given)
    if (names.some((name) => name in errors))
      setErrors(Object.fromEntries(Object.entries(errors).filter(([name]) => !names.includes(name))))
  }

  /** Continues from the newer version that someone else saved, with either text. */
  const settle = async (newer: Post, keep: 'mine' | 'theirs') => {
    setConflict(undefined)
    setBase(newer)
    if (keep === 'theirs') setWriting(editPost(postFields(newer), newer.publishedAt !== null))
    else await submit(newer)
  }

  return {
    base,
    fields,
    errors,
    freeSlug: errors['slug'] ? freeSlug : undefined,
    conflict,
    isSaving: save.isPending,
    isChanged: !isSamePost(fields, post ? postFields(post) : newPostEdit().fields),
    change,
    /** Replaces all fields, based on another version of the post. */
    replace(next: InitialPost) {
      setWriting(editPost(next.fields, wasPublic))
      setBase((now) => now && { ...now, version: next.baseVersion ?? now.version })
    },
    submit,
    settle,
    leaveConflict: () => setConflict(undefined),
  }
}
