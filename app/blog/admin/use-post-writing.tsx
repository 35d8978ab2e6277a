import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useLeaveGuard } from '#app/ui/admin/use-leave-guard.tsx'
import type { Post } from '#app/blog/posts/post.ts'
import type { InitialPost } from './unsaved-versions.ts'
import { invalidatePosts, showPostFailure } from './post-errors.ts'
import { usePostForm } from './use-post-form.tsx'
import { useWorkingCopy, type WorkingCopy } from './use-working-copy.tsx'

type Given = { post?: Post; beginning: InitialPost; viewerId: string; localKey: string; close: () => void }

/** Combines the form, its saved draft, and leaving the page. */
export function usePostWriting({ post, beginning, viewerId: currentUserId, localKey, close }: Given) {
  const client = useQueryClient()
  const kept = useRef<WorkingCopy>(undefined)
  const form = usePostForm({
    post,
    beginning,
    onSaving: async () => kept.current?.hold(),
    onRefused: () => kept.current?.resume(),
    onSaved() {
      // Saving deletes a draft of the same base version on the server; this deletes any other.
      kept.current?.discard().catch(() => undefined)
      close()
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
