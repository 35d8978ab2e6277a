import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import { UNTITLED } from '#app/content/blog-titles.ts'
import { useView } from '#app/ui/admin/use-view.tsx'
import { undoButton } from '#app/ui/admin/undo.tsx'
import { Button } from '#app/ui/button.tsx'
import { toast } from '#app/ui/toast.ts'
import { withChanges } from '#app/ui/admin/view.ts'
import { judgeFailure, sendDraft } from './draft-requests.ts'
import { deleteAcknowledged, deleteLocally, leavingDrafts, listLocally, type LocalCopy, localCopyKey, saveLocally } from './local-copy.ts'
import { invalidatePosts } from './post-errors.ts'

/** Milliseconds between two attempts. */
const SEND_EVERY = 15_000

type Unsent = { postId: string; copy: LocalCopy; isOffline: boolean }

/** Sends drafts that earlier windows could not send, and names those that are still in this browser alone. */
export function UnsentDrafts({ viewerId }: { viewerId: string }) {
  const client = useQueryClient()
  const { params } = useView()
  const [unsent, setUnsent] = useState<Unsent[]>([])

  useEffect(() => {
    let isGone = false
    let sending = Promise.resolve()
    async function send() {
      await Promise.all(leavingDrafts)
      const before = listLocally(viewerId)
      if (before.length === 0 || isGone) return
      const left: Unsent[] = []
      // One request at a time, oldest first.
      for (const { postId, copy } of before.toSorted((one, other) => one.copy.at - other.copy.at)) {
        const outcome = await sendCopy(postId, copy)
        if (outcome === 'sent') deleteAcknowledged(localCopyKey(viewerId, postId), copy.fields)
        else left.push({ postId, copy, isOffline: outcome === 'offline' })
      }
      if (isGone) return
      setUnsent(left)
      if (left.length < before.length) await invalidatePosts(client)
    }
    const inTurn = () => void (sending = sending.then(send))
    inTurn()
    const timer = setInterval(inTurn, SEND_EVERY)
    window.addEventListener('online', inTurn)
    return () => {
      isGone = true
      clearInterval(timer)
      window.removeEventListener('online', inTurn)
    }
  }, [client, viewerId])

  /** Only where the server does not take it: another copy will be sent. */
  function discard(given: Unsent) {
    const key = localCopyKey(viewerId, given.postId)
    deleteLocally(key)
    setUnsent((known) => known.filter(({ postId }) => postId !== given.postId))
    const send = async () => saveLocally(key, given.copy)
    const renew = async () => setUnsent((known) => [...known, given])
    toast({ title: 'Draft discarded', button: undoButton({ send, renew }) })
  }

  if (unsent.length === 0) return null
  const isOffline = unsent.every((each) => each.isOffline)
  return (
    <section role="status" className="grid gap-1 rounded-card border border-transparent bg-grain-wash px-4 py-3 text-small">
      <p className="font-semibold">
        {isOffline ? 'Offline: kept on this device, will be sent' : 'Kept on this device, not on the server. Open a draft to compare it.'}
      </p>
      <ul aria-label="Drafts on this device" className="flex flex-wrap gap-x-4 gap-y-1">
        {unsent.map(({ postId, copy, isOffline: isWaiting }) => (
          <li key={postId} className="flex items-center gap-2">
            <Link to={withChanges(params, { edit: postId })} className="link wrap-anywhere">
              {copy.fields.title || UNTITLED}
            </Link>
            {!isWaiting && (
              <Button
                type="button"
                look="quiet"
                size="small"
                aria-label={`Discard ${copy.fields.title || UNTITLED} from this device`}
                onClick={() => discard({ postId, copy, isOffline: isWaiting })}
              >
                Discard
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** `kept`: the server has another version of the draft, or does not take this one, so the writer has to look at it. */
async function sendCopy(postId: string, { fields, baseVersion, draftVersion }: LocalCopy): Promise<'sent' | 'offline' | 'kept'> {
  if (baseVersion === undefined) return 'kept'
  try {
    await sendDraft(postId, fields, baseVersion, draftVersion)
    return 'sent'
  } catch (error) {
    const verdict = judgeFailure(error, [fields])
    // The server has exactly these fields already.
    if (verdict.kind === 'adopt' && verdict.version !== undefined) return 'sent'
    return verdict.kind === 'failed' ? 'offline' : 'kept'
  }
}
