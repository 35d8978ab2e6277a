import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { ApiError, apiRequest } from '#app/platform/browser/api.ts'
import { type Post, POSTS, publishedPost, postUrl } from '#app/blog/posts/post.ts'
import { NEVER_SAVED } from '#app/blog/posts/draft.ts'
import { undoButton } from '#app/ui/admin/undo.tsx'
import { toast } from '#app/ui/toast.ts'
import { useEditForm } from '#app/ui/admin/use-edit-form.ts'
import { useLeaveGuard } from '#app/ui/admin/leave-warning.tsx'
import type { InitialPost } from './unsaved-versions.ts'
import { invalidatePosts, showPostFailure } from './post-errors.ts'
import { byField, changePostField, editPost, errorsOf, isSamePost, postFields, savedFields, toBody } from './post-fields.ts'
import { useWorkingCopy, type WorkingCopy } from './use-working-copy.tsx'

export type PostFormProps = {
  /** The post to edit, or a new one of version `NEVER_SAVED`. */
  post: Post
  beginning: InitialPost
  viewerId: string
  localKey: string
  /** Runs when a new post gets its first words. */
  onBegun?: (() => void) | undefined
  close: () => void
}

export type PostFormState = ReturnType<typeof usePostForm>['form']

/** Combines the form, its saved draft, and leaving the page. */
export function usePostForm({ post, beginning, viewerId, localKey, onBegun, close }: PostFormProps) {
  const client = useQueryClient()
  const kept = useRef<WorkingCopy>(undefined)
  const form = usePostFields(post, beginning, {
    async onSaving() {
      await kept.current?.hold()
    },
    onRefused: () => kept.current?.resume(),
    onSaved() {
      // Saving deletes a draft of the same base version on the server; this deletes any other.
      kept.current?.discard().catch(() => undefined)
      close()
      return invalidatePosts(client)
    },
  })
  const copy = useWorkingCopy({
    postId: post.id,
    baseVersion: form.baseVersion,
    viewerId,
    localKey,
    beginning,
    fields: form.fields,
    // The list shows which posts have a draft.
    onLeft: () => void invalidatePosts(client),
  })
  useEffect(() => {
    kept.current = copy
  })
  const begun = useRef(false)
  useEffect(() => {
    if (!form.isChanged || begun.current) return
    begun.current = true
    onBegun?.()
  }, [form.isChanged, onBegun])
  useLeaveGuard(form.isChanged && !form.isSaving && copy.state.kind !== 'saved' && copy.state.kind !== 'idle')

  const [isAsking, setAsking] = useState(false)
  const leaving = {
    isAsking,
    ask: () => (form.isChanged ? setAsking(true) : close()),
    stay: () => setAsking(false),
    leave: () => void copy.flush().then(close),
    discard: async () => {
      const isDeleted = form.isNew && copy.isOnServer()
      try {
        await copy.discard()
      } catch (error) {
        showPostFailure('Draft not discarded', error instanceof Error ? error : new Error('Draft not discarded'))
        return copy.resume()
      }
      const send = async () => apiRequest('POST', `${postUrl(post.id)}/restore`)
      if (isDeleted) toast({ title: 'Draft discarded', button: undoButton({ send, renew: async () => invalidatePosts(client) }) })
      close()
    },
  }
  return { form, copy, leaving }
}

type Saving = { onSaving: () => Promise<void>; onRefused: () => void; onSaved: () => unknown }

/** The values of the form and its errors. `freeSlug` is the server's suggestion when the chosen one is in use. */
function usePostFields(post: Post, beginning: InitialPost, { onRefused, ...saving }: Saving) {
  const [freeSlug, setFreeSlug] = useState<string>()
  const wasPublic = post.publishedAt !== null
  const { replace, ...form } = useEditForm({
    noun: 'Blog post',
    url: POSTS,
    postsFirst: true,
    schema: publishedPost,
    row: { ...post, version: beginning.baseVersion },
    begin: () => editPost(beginning.fields, wasPublic),
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
  const baseVersion = form.base?.version ?? NEVER_SAVED
  return {
    ...form,
    baseVersion,
    isNew: baseVersion === NEVER_SAVED,
    freeSlug: form.errors['slug'] ? freeSlug : undefined,
    isChanged: !isSamePost(form.fields, savedFields(post)),
    /** Replaces all fields, based on another version of the post. */
    replace: (next: InitialPost) => replace(editPost(next.fields, wasPublic), next.baseVersion),
  }
}
