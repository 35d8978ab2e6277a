import { useCallback, useEffect, useRef, useState } from 'react'
import { type PostDraft, type DraftState, NEVER_SAVED } from '#app/blog/posts/draft.ts'
import type { DraftSaver } from './draft-saver.ts'
import { fetchDraft } from './draft-requests.ts'

/** Milliseconds between two checks for other people's changes. */
const LOOK_EVERY = 15_000

type Given = {
  postId: string
  baseVersion: number
  keeper: DraftSaver
  /** Someone else changed the draft; saving is paused until the writer decides. */
  onTaken: () => void
}

/** Checks whether someone else edits or has saved the same post: periodically, and when the window regains the focus. */
export function useOtherEditor({ postId, baseVersion, keeper, onTaken }: Given) {
  const [theirs, setTheirs] = useState<PostDraft>()
  const [savedVersion, setSavedVersion] = useState<number>()
  const latest = useRef(onTaken)
  useEffect(() => {
    latest.current = onTaken
  })

  const look = useCallback(async () => {
    const isOnServer = baseVersion !== NEVER_SAVED || keeper.version !== undefined
    if (!isOnServer || keeper.isSending || document.visibilityState === 'hidden') return
    const before = keeper.version
    const seen = await fetchDraft(postId).catch(() => undefined)
    // The response is outdated, or shows this form's own change, if the form saved during the request.
    if (!seen || keeper.isSending || keeper.version !== before) return
    setSavedVersion(seen.postVersion)
    const other = draftOfAnother(seen, keeper)
    if (!other) return
    void keeper.hold()
    setTheirs(other)
    latest.current()
  }, [postId, baseVersion, keeper])

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
    isSavedMeanwhile: savedVersion !== undefined && savedVersion > baseVersion,
    look,
    forget: () => setTheirs(undefined),
  }
}

/** The draft, unless this form wrote it. A deleted draft needs no notice: the next change creates a new one. */
function draftOfAnother({ draft }: DraftState, keeper: DraftSaver): PostDraft | undefined {
  if (draft) return draft.version === keeper.version ? undefined : draft
  keeper.version = undefined
  return undefined
}
