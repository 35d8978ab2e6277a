import { useCallback, useEffect, useRef, useState } from 'react'
import type { Draft, DraftState } from '#app/drafts/draft.ts'
import type { DraftKeeper } from '#app/post-writing/draft-keeper.ts'
import { readDraft } from '#app/post-writing/draft-requests.ts'

/** Milliseconds between two looks at what others write. */
const LOOK_EVERY = 15_000

type Given = {
  postId: string | undefined
  baseVersion: number | undefined
  viewerId: string
  keeper: DraftKeeper
  /** Another has changed the draft: nothing is sent until someone decides. */
  onTaken: () => void
}

/** Looks whether another changes or has saved the same post: every while, and when the writer comes back to this window. */
export function useNeighbour({ postId, baseVersion, viewerId, keeper, onTaken }: Given) {
  const [theirs, setTheirs] = useState<Draft>()
  const [savedVersion, setSavedVersion] = useState<number>()
  const latest = useRef(onTaken)
  useEffect(() => {
    latest.current = onTaken
  })

  const look = useCallback(async () => {
    if (!postId || document.visibilityState === 'hidden') return
    const before = keeper.version
    const seen = await readDraft(postId).catch(() => undefined)
    // What was sent meanwhile makes the answer old.
    if (!seen || keeper.version !== before) return
    setSavedVersion(seen.postVersion)
    const other = draftOfAnother(seen, keeper)
    if (!other) return
    void keeper.hold()
    setTheirs(other)
    latest.current()
  }, [postId, keeper])

  useEffect(() => {
    const timer = setInterval(() => void look(), LOOK_EVERY)
    const onFocus = () => void look()
    window.addEventListener('focus', onFocus)
    return () => {
      clearInterval(timer)
      window.removeEventListener('focus', onFocus)
    }
  }, [look])

  return {
    theirs,
    isSelf: theirs?.editorId === viewerId,
    isSavedMeanwhile: savedVersion !== undefined && baseVersion !== undefined && savedVersion > baseVersion,
    look,
    forget: () => setTheirs(undefined),
  }
}

/** One that this form has not written. One that is gone is begun anew with the next word. */
function draftOfAnother({ draft }: DraftState, keeper: DraftKeeper): Draft | undefined {
  if (draft) return draft.version === keeper.version ? undefined : draft
  keeper.version = undefined
  return undefined
}
