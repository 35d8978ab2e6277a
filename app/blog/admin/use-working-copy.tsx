import { useEffect, useRef, useState } from 'react'
import type { PostDraft } from '#app/blog/posts/draft.ts'
import type { InitialPost } from './unsaved-versions.ts'
import { DraftSaver, type DraftSaveState } from './draft-saver.ts'
import { requestDraftDeletion, isEditConflict, sendDraft } from './draft-requests.ts'
import { deleteLocally, saveLocally } from './local-copy.ts'
import { isSamePost, type PostFields } from './post-fields.ts'
import { useOtherEditor } from './use-other-editor.tsx'

export type WorkingCopy = ReturnType<typeof useWorkingCopy>

type Given = {
  postId: string | undefined
  baseVersion: number | undefined
  viewerId: string
  /** The storage key of the browser's copy. */
  localKey: string
  beginning: InitialPost
  fields: PostFields
}

/** Saves each change in the browser, and for an existing post on the server as well. Readers never see it. */
export function useWorkingCopy({ postId, baseVersion, viewerId: currentUserId, localKey, beginning, fields }: Given) {
  const [state, setState] = useState<DraftSaveState>({ kind: 'idle' })
  const [isKeptHere, setKeptHere] = useState(true)
  const [keeper] = useState(() => makeKeeper(postId, beginning.draftVersion, setState))
  const known = useRef(beginning.isUnsent ? undefined : beginning.fields)
  const neighbour = useOtherEditor({ postId, baseVersion, viewerId: currentUserId, keeper, onTaken: () => setState({ kind: 'elsewhere' }) })

  useEffect(() => {
    keeper.buildUpon(baseVersion)
  }, [baseVersion, keeper])

  useEffect(() => {
    if (known.current && isSamePost(known.current, fields)) return
    known.current = fields
    setKeptHere(saveLocally(localKey, { fields, baseVersion, draftVersion: keeper.version, at: Date.now() }))
    if (postId) keeper.type(fields)
  }, [baseVersion, fields, keeper, localKey, postId])

  useEffect(() => {
    // The browser's copy is obsolete once the server has it. A new post exists in the browser only.
    if (state.kind === 'saved') deleteLocally(localKey)
  }, [state, localKey])

  useEffect(() => {
    const retry = () => void keeper.flush()
    window.addEventListener('online', retry)
    return () => {
      window.removeEventListener('online', retry)
      void keeper.flush()
    }
  }, [keeper])

  /** Deletes the copies in the browser and on the server. */
  const discard = async () => {
    await keeper.hold()
    keeper.forget()
    deleteLocally(localKey)
    if (postId && keeper.version !== undefined) await requestDraftDeletion(postId, keeper.version)
  }

  return {
    state,
    isKeptHere,
    neighbour,
    discard,
    flush: () => keeper.flush(),
    /** Returns the version of the draft once no change is pending. */
    settle: async () => {
      await keeper.flush()
      return keeper.version
    },
    hold: () => keeper.hold(),
    resume: () => keeper.resume(),
    /** Continues from the draft that someone else wrote. */
    takeTheirs(theirs: PostDraft, taken: PostFields) {
      known.current = taken
      deleteLocally(localKey)
      keeper.forget()
      keeper.resume(theirs.version)
      neighbour.forget()
    },
    /** Continues from this text, over the draft of someone else that the writer has seen. */
    keepMine(theirs: PostDraft | undefined) {
      keeper.resume(theirs?.version)
      keeper.type(fields)
      neighbour.forget()
    },
  }
}

function makeKeeper(postId: string | undefined, version: number | undefined, onState: (state: DraftSaveState) => void) {
  return new DraftSaver(
    {
      send: (fields, over, draftBase) =>
        postId ? sendDraft(postId, fields, draftBase ?? 1, over) : Promise.reject(new Error('A new post has no draft on the server.')),
      isTaken: isEditConflict,
      onState,
      later(callback, ms) {
        const timer = setTimeout(callback, ms)
        return () => clearTimeout(timer)
      },
      now: Date.now,
    },
    version,
  )
}
