import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { isEmptyDraft, NEVER_SAVED, type PostDraft } from '#app/blog/posts/draft.ts'
import type { InitialPost } from './unsaved-versions.ts'
import { DraftSaver, type DraftSaveState } from './draft-saver.ts'
import { judgeFailure, requestDraftDeletion, sendDraft } from './draft-requests.ts'
import { deleteAcknowledged, deleteLocally, findLocally, leavingDrafts, saveLocally } from './local-copy.ts'
import { isSamePost, type PostFields } from './post-fields.ts'
import { useOtherEditor } from './use-other-editor.tsx'

export type WorkingCopy = ReturnType<typeof useWorkingCopy>

type Given = {
  postId: string
  baseVersion: number
  viewerId: string
  /** The storage key of the browser's copy. */
  localKey: string
  beginning: InitialPost
  fields: PostFields
  /** Runs after the form was left and nothing is being sent any more. */
  onLeft: () => void
}

/**
 * Saves each change in the browser, and on the server as a draft. The browser's copy stays until the server has it. Readers see neither. A
 * new post exists on the server from its first words on.
 */
export function useWorkingCopy({ postId, baseVersion, viewerId, localKey, beginning, fields, onLeft }: Given) {
  const known = useRef(beginning.isUnsent ? undefined : beginning.fields)
  const [{ state, isKeptHere }, setState] = useState<{ state: DraftSaveState; isKeptHere: boolean }>({
    state: { kind: 'idle' },
    isKeptHere: true,
  })
  const [keeper] = useState(() =>
    makeKeeper(postId, beginning.draftVersion, (next) =>
      // Each key is a change that waits: only the first one is news.
      setState((now) =>
        now.state.kind === 'waiting' && next.kind === 'waiting' ? now : { state: next, isKeptHere: isStored(localKey, known.current) },
      ),
    ),
  )
  const neighbour = useOtherEditor({
    postId,
    baseVersion,
    keeper,
    onTaken: () => setState({ state: { kind: 'elsewhere' }, isKeptHere: true }),
  })

  useEffect(() => {
    keeper.buildUpon(baseVersion)
  }, [baseVersion, keeper])

  const keepHere = useEffectEvent((typed: PostFields) => {
    saveLocally(localKey, { fields: typed, baseVersion, draftVersion: keeper.version, at: Date.now() })
  })
  useEffect(() => {
    if (known.current && isSamePost(known.current, fields)) return
    known.current = fields
    if (baseVersion === NEVER_SAVED && keeper.version === undefined && isEmptyDraft(fields)) {
      deleteLocally(localKey)
      keeper.forget()
      return
    }
    keepHere(fields)
    keeper.type(fields)
  }, [baseVersion, fields, keeper, localKey])

  useEffect(() => {
    if (!known.current) return
    if (state.kind === 'saved') deleteAcknowledged(localKey, known.current)
    // More was typed during the request: after a crash, the copy follows on what the server has now.
    if (state.kind === 'waiting') keepHere(known.current)
  }, [localKey, state])

  const left = useRef(() => undefined as void)
  useEffect(() => {
    left.current = () => {
      const leaving = leaveDraft({ postId, localKey, baseVersion, keeper, fields: known.current }).finally(() => {
        leavingDrafts.delete(leaving)
        onLeft()
      })
      leavingDrafts.add(leaving)
    }
  })
  useEffect(() => {
    const retry = () => void keeper.flush()
    window.addEventListener('online', retry)
    return () => {
      window.removeEventListener('online', retry)
      left.current()
    }
  }, [keeper])

  /** Deletes the copies in the browser and on the server. */
  const discard = async () => {
    await keeper.hold()
    keeper.forget()
    deleteLocally(localKey)
    if (keeper.version !== undefined) await requestDraftDeletion(postId, keeper.version)
  }

  // A refused save shows the other draft before the next check does.
  const theirs = neighbour.theirs ?? (state.kind === 'elsewhere' ? state.theirs : undefined)

  return {
    state,
    isKeptHere,
    neighbour: { ...neighbour, theirs, isSelf: theirs?.editorId === viewerId },
    discard,
    /** Whether the server has a draft of it. */
    isOnServer: () => keeper.version !== undefined,
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

/** Full storage keeps an older copy. */
function isStored(localKey: string, fields: PostFields | undefined): boolean {
  const copy = findLocally(localKey)
  return copy !== undefined && fields !== undefined && isSamePost(copy.fields, fields)
}

type Left = { postId: string; localKey: string; baseVersion: number; keeper: DraftSaver; fields: PostFields | undefined }

/** Sends the last changes. A new post that is still empty leaves nothing behind. */
async function leaveDraft({ postId, localKey, baseVersion, keeper, fields }: Left): Promise<void> {
  const isEmpty = baseVersion === NEVER_SAVED && fields !== undefined && isEmptyDraft(fields)
  if (isEmpty) {
    keeper.forget()
    deleteLocally(localKey)
  }
  await keeper.flush()
  // From here on, the browser's copy is sent from the list, or by the next form.
  await keeper.hold()
  if (fields && !keeper.hasPending) deleteAcknowledged(localKey, fields)
  // Offline, the server deletes it a day later.
  if (isEmpty && keeper.version !== undefined) await requestDraftDeletion(postId, keeper.version).catch(() => undefined)
}

function makeKeeper(postId: string, version: number | undefined, onState: (state: DraftSaveState) => void) {
  return new DraftSaver(
    {
      send: (fields, over, draftBase) => sendDraft(postId, fields, draftBase ?? NEVER_SAVED, over),
      judge: judgeFailure,
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
