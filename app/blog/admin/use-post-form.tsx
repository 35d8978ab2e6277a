import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { ApiError } from '#app/platform/browser/api.ts'
import { type Post, POSTS, publishedPost } from '#app/blog/posts/post.ts'
import { useEditForm } from '#app/ui/admin/use-edit-form.ts'
import { useLeaveGuard } from '#app/ui/admin/use-leave-guard.tsx'
import type { InitialPost } from './unsaved-versions.ts'
import { invalidatePosts, showPostFailure } from './post-errors.ts'
import { byField, changePostField, editPost, errorsOf, isSamePost, newPostEdit, postFields, toBody } from './post-fields.ts'
import { useWorkingCopy, type WorkingCopy } from './use-working-copy.tsx'

type Given = { post?: Post; beginning: InitialPost; viewerId: string; localKey: string; close: () => void }

export type PostFormState = ReturnType<typeof usePostForm>['form']

/** Combines the form, its saved draft, and leaving the page. */
export function usePostForm({ post, beginning, viewerId: currentUserId, localKey, close }: Given) {
  const client = useQueryClient()
  const kept = useRef<WorkingCopy>(undefined)
  const form = usePostFields(post, beginning, {
    onSaving: async () => kept.current?.hold(),
    onRefused: () => kept.current?.resume(),
    onSaved() {
      // Saving deletes a draft of the same base version on the server; this deletes any other.
      kept.current?.discard().catch(() => undefined)
      close()
      return invalidatePosts(client)
    },
  })
  const copy = useWorkingCopy({
    postId: post?.id,
    baseVersion: form.base?.version,
    viewerId: currentUserId,
    localKey,
    beginning,
    fields: form.fields,
  })
  useEffect(() => {
    kept.current = copy
  })
  const isAtRisk = form.isChanged && !form.isSaving && (!post || (copy.state.kind !== 'saved' && copy.state.kind !== 'idle'))
  useLeaveGuard(isAtRisk)

  /** The list shows which posts have a draft. */
  const goBack = () => {
    close()
    void invalidatePosts(client)
  }
  const [isAsking, setAsking] = useState(false)
  const leaving = {
    isAsking,
    ask: () => (form.isChanged ? setAsking(true) : close()),
    stay: () => setAsking(false),
    leave: () => void copy.flush().then(goBack),
    discard: () =>
      void copy.discard().then(goBack, (error: unknown) => {
        showPostFailure('Draft not discarded', error instanceof Error ? error : new Error('Draft not discarded'))
        copy.resume()
      }),
  }
  return { form, copy, leaving }
}

type Saving = { onSaving: () => Promise<void>; onRefused: () => void; onSaved: () => unknown }

/** The values of the form and its errors. `freeSlug` is the server's suggestion when the chosen one is in use. */
function usePostFields(post: Post | undefined, beginning: InitialPost, { onRefused, ...saving }: Saving) {
  const [freeSlug, setFreeSlug] = useState<string>()
  const wasPublic = post !== undefined && post.publishedAt !== null
  const { replace, ...form } = useEditForm({
    noun: 'Blog post',
    url: POSTS,
    schema: publishedPost,
    row: post && { ...post, version: beginning.baseVersion ?? post.version },
    begin: () => (post ? editPost(beginning.fields, wasPublic) : newPostEdit(beginning.fields)),
    editOf: (newer) => editPost(postFields(newer), newer.publishedAt !== null),
    apply: changePostField,
    check(fields) {
      const errors = errorsOf(fields)
      return Object.keys(errors).length > 0 ? { errors } : { body: toBody(fields) }
    },
    assign: byField,
    onRefused(error) {
      setFreeSlug(error instanceof ApiError && error.problem?.code === 'slug_taken' ? error.problem.suggestion : undefined)
      onRefused()
    },
    ...saving,
  })
  return {
    ...form,
    freeSlug: form.errors['slug'] ? freeSlug : undefined,
    isChanged: !isSamePost(form.fields, post ? postFields(post) : newPostEdit().fields),
    /** Replaces all fields, based on another version of the post. */
    replace: (next: InitialPost) => replace(editPost(next.fields, wasPublic), next.baseVersion),
  }
}
