import { useState } from 'react'
import type { Post } from '#app/posts/post.ts'
import { type Change, errorsOf, isSame, fieldsOf, startFrom, startNew, write, type Writing } from '#app/post-writing/post-fields.ts'
import { useSavePost } from '#app/post-writing/use-save-post.tsx'

export type PostFormState = ReturnType<typeof usePostForm>

/** What the form holds and what stands in the way of saving it. `base` is the version that a save is compared with on the server. */
export function usePostForm(post: Post | undefined, close: () => void) {
  const [base, setBase] = useState(post)
  const [writing, setWriting] = useState<Writing>(() => (post ? startFrom(post, post.publishedAt !== null) : startNew()))
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [freeSlug, setFreeSlug] = useState<string>()
  const [conflict, setConflict] = useState<Post>()
  const save = useSavePost(base, {
    onSaved: close,
    onRefused(refused, free) {
      setErrors(refused)
      setFreeSlug(free)
    },
    onConflict: setConflict,
  })
  const { fields } = writing

  function submit(over = base) {
    const found = errorsOf(fields)
    setErrors(found)
    if (Object.keys(found).length === 0) save.mutate({ fields, over })
  }

  /** What is being corrected is no longer wrong. */
  const change = (given: Change) => {
    setWriting((now) => write(now, given))
    const names = Object.keys(given)
    if (names.some((name) => name in errors))
      setErrors(Object.fromEntries(Object.entries(errors).filter(([name]) => !names.includes(name))))
  }

  /** Goes on from the newer version that another has saved: with what is written here, or with theirs. */
  const settle = (newer: Post, keep: 'mine' | 'theirs') => {
    setConflict(undefined)
    setBase(newer)
    if (keep === 'theirs') setWriting(startFrom(newer, newer.publishedAt !== null))
    else submit(newer)
  }

  return {
    base,
    fields,
    errors,
    freeSlug: errors['slug'] ? freeSlug : undefined,
    conflict,
    isSaving: save.isPending,
    isChanged: !isSame(fields, base ? fieldsOf(base) : startNew().fields),
    change,
    replace: setWriting,
    submit,
    settle,
    leaveConflict: () => setConflict(undefined),
  }
}
