import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useLeaveGuard } from '#app/admin-view/use-leave-guard.tsx'
import type { Post } from '#app/posts/post.ts'
import type { Beginning } from '#app/post-writing/beginning.ts'
import { askAgain, tellFailure } from '#app/post-writing/post-answers.ts'
import { usePostForm } from './use-post-form.tsx'
import { useWorkingCopy, type WorkingCopy } from './use-working-copy.tsx'

type Given = { post?: Post; beginning: Beginning; viewerId: string; localKey: string; close: () => void }

/** The form, the draft that is kept of it, and the way out of both. */
export function usePostWriting({ post, beginning, viewerId, localKey, close }: Given) {
  const client = useQueryClient()
  const kept = useRef<WorkingCopy>(undefined)
  const form = usePostForm({
    post,
    beginning,
    onSaving: async () => kept.current?.hold(),
    onRefused: () => kept.current?.resume(),
    onSaved() {
      // The server has done away with the draft where it began from the same version; the rest is tidied up here.
      kept.current?.discard().catch(() => undefined)
      close()
    },
  })
  const copy = useWorkingCopy({
    postId: post?.id,
    baseVersion: form.base?.version,
    viewerId,
    localKey,
    beginning,
    fields: form.fields,
  })
  useEffect(() => {
    kept.current = copy
  })
  const isAtRisk = form.isChanged && !form.isSaving && (!post || (copy.state.kind !== 'saved' && copy.state.kind !== 'idle'))
  useLeaveGuard(isAtRisk)

  /** The list says of which posts there is a draft. */
  const goBack = () => {
    close()
    void askAgain(client)
  }
  const [isAsking, setAsking] = useState(false)
  const leaving = {
    isAsking,
    ask: () => (form.isChanged ? setAsking(true) : close()),
    stay: () => setAsking(false),
    leave: () => void copy.flush().then(goBack),
    discard: () =>
      void copy.discard().then(goBack, (error: unknown) => {
        tellFailure('Draft not discarded', error instanceof Error ? error : new Error('Draft not discarded'))
        copy.resume()
      }),
  }
  return { form, copy, leaving }
}
