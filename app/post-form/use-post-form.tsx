import { useState } from 'react'
import type { Post } from '#app/posts/post.ts'
import type { Beginning } from '#app/post-writing/beginning.ts'
import { type Change, errorsOf, fieldsOf, isSame, startFrom, startNew, toBody, write, type Writing } from '#app/post-writing/post-fields.ts'
import { useSavePost } from './use-save-post.tsx'

export type PostFormState = ReturnType<typeof usePostForm>

type Given = {
  post: Post | undefined
  beginning: Beginning
  /** Before a save, and after one that was refused. */
  onSaving: () => Promise<void>
  onRefused: () => void
  onSaved: () => void
}

/** What the form holds and what stands in the way of saving it. `base` is the version that a save is compared with on the server. */
export function usePostForm({ post, beginning, onSaving, onRefused, onSaved }: Given) {
  const [base, setBase] = useState(post && { ...post, version: beginning.baseVersion ?? post.version })
  const wasPublic = base?.publishedAt !== undefined && base.publishedAt !== null
  const [writing, setWriting] = useState<Writing>(() =>
    post ? startFrom(toBody(beginning.fields), wasPublic) : startNew(beginning.fields),
  )
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

  /** What is being corrected is no longer wrong. */
  const change = (given: Change) => {
    setWriting((now) => write(now, given))
    const names = Object.keys(given)
    if (names.some((name) => name in errors))
      setErrors(Object.fromEntries(Object.entries(errors).filter(([name]) => !names.includes(name))))
  }

  /** Goes on from the newer version that another has saved: with what is written here, or with theirs. */
  const settle = async (newer: Post, keep: 'mine' | 'theirs') => {
    setConflict(undefined)
    setBase(newer)
    if (keep === 'theirs') setWriting(startFrom(newer, newer.publishedAt !== null))
    else await submit(newer)
  }

  return {
    base,
    fields,
    errors,
    freeSlug: errors['slug'] ? freeSlug : undefined,
    conflict,
    isSaving: save.isPending,
    isChanged: !isSame(fields, post ? fieldsOf(post) : startNew().fields),
    change,
    /** Other fields in place of all, written upon another version of the post. */
    replace(next: Beginning) {
      setWriting(startFrom(toBody(next.fields), wasPublic))
      setBase((now) => now && { ...now, version: next.baseVersion ?? now.version })
    },
    submit,
    settle,
    leaveConflict: () => setConflict(undefined),
  }
}
