import { useMutation } from '@tanstack/react-query'
import { tellFailure } from '#app/admin-view/tell-failure.ts'
import { ApiError } from '#app/platform/api.ts'
import { bytesInWords } from '#app/ui/amount.ts'
import { Button } from '#app/ui/button.tsx'
import { timeInWords } from './pace.ts'
import type { Progress, SendState } from './sender.ts'
import { cancelUpload, dismissUpload, isOver, pauseUpload, resumeUpload, type Upload } from './uploads.ts'

/** How far a file is, how fast, for how long yet; and its brake. */
export function UploadProgress({ upload }: { upload: Upload }) {
  const { productId, fileName, progress } = upload
  const { sent, bytes, state } = progress
  const cancel = useMutation({
    mutationFn: async () => cancelUpload(productId),
    onError: (error) => tellFailure('Not cancelled', error),
  })
  const goOn = verbs[state.kind]
  const hasEnded = isOver(progress)
  return (
    <section aria-label="Upload" className="grid gap-3 rounded-card border border-line bg-surface px-5 py-5">
      <p className="font-mono text-small font-semibold wrap-anywhere">{fileName}</p>
      <progress className="w-full" max={bytes} value={sent} aria-label="Sent" />
      <p className="flex flex-wrap gap-x-4 font-mono text-fine text-muted tabular-nums">
        <span>{Math.floor((sent / bytes) * 100)} %</span>
        <span>
          {bytesInWords(sent)} of {bytesInWords(bytes)}
        </span>
        <Speed progress={progress} />
      </p>
      <p role="status" className="text-small">
        {wordsOf(progress)}
      </p>
      <div className="flex flex-wrap gap-2">
        {state.kind === 'sending' && (
          <Button type="button" look="quiet" size="small" onClick={() => pauseUpload(productId)}>
            Pause
          </Button>
        )}
        {goOn && !hasEnded && (
          <Button type="button" size="small" onClick={() => resumeUpload(productId)}>
            {goOn}
          </Button>
        )}
        {hasEnded ? (
          <Button type="button" look="quiet" size="small" onClick={() => dismissUpload(productId)}>
            Another file
          </Button>
        ) : (
          <Button type="button" look="quiet" size="small" busy={cancel.isPending} onClick={() => cancel.mutate()}>
            Cancel the upload
          </Button>
        )}
      </div>
    </section>
  )
}

/** What makes it go on. */
const verbs: Partial<Record<SendState['kind'], string>> = { paused: 'Resume', waiting: 'Try now', failed: 'Try again' }

function Speed({ progress: { sent, bytes, state } }: { progress: Progress }) {
  if (state.kind !== 'sending' || !state.perSecond) return null
  return (
    <>
      <span>{bytesInWords(state.perSecond)} a second</span>
      <span>{timeInWords((bytes - sent) / state.perSecond)} left</span>
    </>
  )
}

function wordsOf({ state }: Progress): string {
  switch (state.kind) {
    case 'sending':
      return 'On its way. You can work on other pages meanwhile; this window has to stay open.'
    case 'paused':
      return 'Paused. What has arrived stays; it can go on later, after closing the window as well.'
    case 'waiting':
      return 'The line is broken. It goes on by itself as soon as the server can be reached.'
    case 'arrived':
      return 'Arrived whole. It is being read now: see below.'
    case 'failed':
      return state.error instanceof ApiError ? state.error.detail : state.error.message
  }
}
