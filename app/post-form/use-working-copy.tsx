import { useEffect, useRef, useState } from 'react'
import type { Draft } from '#app/drafts/draft.ts'
import type { Beginning } from '#app/post-writing/beginning.ts'
import { DraftKeeper, type KeepState } from '#app/post-writing/draft-keeper.ts'
import { discardDraft, isTaken, sendDraft } from '#app/post-writing/draft-requests.ts'
import { forgetLocally, keepLocally } from '#app/post-writing/local-copy.ts'
import { isSame, type PostFields } from '#app/post-writing/post-fields.ts'
import { useNeighbour } from './use-neighbour.tsx'

export type WorkingCopy = ReturnType<typeof useWorkingCopy>

type Given = {
  postId: string | undefined
  baseVersion: number | undefined
  viewerId: string
  /** Where this browser keeps it. */
  localKey: string
  beginning: Beginning
  fields: PostFields
}

/** What is typed is kept: in this browser at once, and of a post that there is on the server as well. Readers see nothing of it. */
export function useWorkingCopy({ postId, baseVersion, viewerId, localKey, beginning, fields }: Given) {
  const [state, setState] = useState<KeepState>({ kind: 'idle' })
  const [isKeptHere, setKeptHere] = useState(true)
  const [keeper] = useState(() => makeKeeper(postId, beginning.draftVersion, setState))
  const known = useRef(beginning.isUnsent ? undefined : beginning.fields)
  const neighbour = useNeighbour({ postId, baseVersion, viewerId, keeper, onTaken: () => setState({ kind: 'elsewhere' }) })

  useEffect(() => {
    keeper.buildUpon(baseVersion)
  }, [baseVersion, keeper])

  useEffect(() => {
    if (known.current && isSame(known.current, fields)) return
    known.current = fields
    setKeptHere(keepLocally(localKey, { fields, baseVersion, draftVersion: keeper.version, at: Date.now() }))
    if (postId) keeper.type(fields)
  }, [baseVersion, fields, keeper, localKey, postId])

  useEffect(() => {
    // What the server has need not be kept here. A new post has no other place.
    if (state.kind === 'saved') forgetLocally(localKey)
  }, [state, localKey])

  useEffect(() => {
    const retry = () => void keeper.flush()
    window.addEventListener('online', retry)
    return () => {
      window.removeEventListener('online', retry)
      void keeper.flush()
    }
  }, [keeper])

  /** Nothing is left of it, here and on the server. */
  const discard = async () => {
    await keeper.hold()
    keeper.forget()
    forgetLocally(localKey)
    if (postId && keeper.version !== undefined) await discardDraft(postId, keeper.version)
  }

  return {
    state,
    isKeptHere,
    neighbour,
    discard,
    flush: () => keeper.flush(),
    /** Answers the version of the draft once nothing waits to be sent. */
    settle: async () => {
      await keeper.flush()
      return keeper.version
    },
    hold: () => keeper.hold(),
    resume: () => keeper.resume(),
    /** Goes on from the draft that another has written. */
    takeTheirs(theirs: Draft, taken: PostFields) {
      known.current = taken
      forgetLocally(localKey)
      keeper.forget()
      keeper.resume(theirs.version)
      neighbour.forget()
    },
    /** Goes on with what is written here, over the draft that another has written and this writer has seen. */
    keepMine(theirs: Draft | undefined) {
      keeper.resume(theirs?.version)
      keeper.type(fields)
      neighbour.forget()
    },
  }
}

function makeKeeper(postId: string | undefined, version: number | undefined, onState: (state: KeepState) => void) {
  return new DraftKeeper(
    {
      send: (fields, over, upon) =>
        postId ? sendDraft(postId, fields, upon ?? 1, over) : Promise.reject(new Error('A new post has no draft on the server.')),
      isTaken,
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
