import { useState } from 'react'
import type { Post } from '#app/posts/post.ts'
import { type Change, errorsOf, isSame, fieldsOf, startFrom, startNew, write, type Writing } from './post-fields.ts'
import { useSavePost } from './use-save-post.tsx'

export type PostFormState = ReturnType<typeof usePostForm>

/** What the form holds and what stands in the way of saving it. `base` is the version that a save is compared with on the server. */
export function usePostForm(post: Post | undefined, close: () => void) {
  const [base, setBase] = useState(post)
  const [writing, setWriting] = useState<Writing>(() => (post ? startFrom(post, post.publishedAt !== null) : startNew()))
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [conflict, setConflict] = useState<Post>()
  const save = useSavePost(base, {
    onSaved: close,
    onRefused: setErrors,
    onConflict: setConflict,
  })
  const { fields } = writing

  function submit(over = base) {
    const found = errorsOf(fields)
    setErrors(found)
    if (Object.keys(found).length === 0) save.mutate({ fields, over })
  }

  return {
    base,
    fields,
    errors,
    conflict,
    isSaving: save.isPending,
    isChanged: base ? !isSame(fields, fieldsOf(base)) : !isSame(fields, startNew().fields),
    change: (change: Change) => setWriting((now) => write(now, change)),
    replace: (next: Writing) => setWriting(next),
    submit,
    /** Goes on from the newer version that another has saved: with what is written here, or with theirs. */
    settle(newer: Post, keep: 'mine' | 'theirs') {
      setConflict(undefined)
      setBase(newer)
      if (keep === 'theirs') setWriting(startFrom(newer, newer.publishedAt !== null))
      else submit(newer)
    },
    leaveConflict: () => setConflict(undefined),
  }
}
