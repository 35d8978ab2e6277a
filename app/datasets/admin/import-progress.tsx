import { ActionButton } from '#app/ui/admin/action-button.tsx'
import { bytesInWords } from '#app/ui/amount.ts'
import { Button } from '#app/ui/button.tsx'
import { timeInWords } from '#app/ui/pace.ts'
import { Progress } from '#app/ui/progress.tsx'
import type { ActiveUpload } from './active-uploads.ts'
import type { SendProgress, SendState } from './sender.ts'
import { cancelUpload, pauseUpload, resumeUpload } from './uploads.ts'
import { useUploadOf } from './use-upload-of.tsx'
import { useVersions } from './use-products.tsx'
import { ReadingProgress } from './version-card.tsx'

/** A file while it is sent, with speed, remaining time and Pause, and then while it is read. */
export function ImportProgress({ productId }: { productId: string }) {
  const upload = useUploadOf(productId)
  const versions = useVersions(productId)
  if (upload && upload.progress.state.kind !== 'arrived' && upload.progress.state.kind !== 'failed') return <Sending upload={upload} />
  const reading = versions.data?.find(({ state }) => state === 'processing')
  return reading ? (
    <ReadingProgress version={reading} />
  ) : (
    <p role="status" className="text-small">
      {upload ? 'Upload complete. Processing…' : 'Starting…'}
    </p>
  )
}

function Sending({ upload: { productId, progress } }: { upload: ActiveUpload }) {
  const { sent, bytes, state } = progress
  const cancel = { send: async () => cancelUpload(productId), failed: 'Upload not canceled', touches: [] }
  const goOn = verbs[state.kind]
  return (
    <section aria-label="Upload" className="grid gap-3">
      <Progress label="Sent" value={sent} max={bytes} hasTime={false}>
        <span>
          {bytesInWords(sent)} of {bytesInWords(bytes)}
        </span>
        <Speed progress={progress} />
      </Progress>
      <p role="status" className="text-small">
        {words[state.kind]}
      </p>
      <div className="flex flex-wrap gap-2">
        {state.kind === 'sending' && (
          <Button type="button" look="quiet" size="small" onClick={() => pauseUpload(productId)}>
            Pause
          </Button>
        )}
        {goOn && (
          <Button type="button" size="small" onClick={() => resumeUpload(productId)}>
            {goOn}
          </Button>
        )}
        <ActionButton action={cancel} size="small" pending="Canceling...">
          Cancel the upload
        </ActionButton>
      </div>
    </section>
  )
}

/** The button that resumes it. */
const verbs: Partial<Record<SendState['kind'], string>> = { paused: 'Resume', waiting: 'Try now' }

const words: Partial<Record<SendState['kind'], string>> = {
  sending: 'Uploading. You can close this panel and work on other pages, but keep this window open.',
  paused: 'Paused. You can resume later, even after closing this window.',
  waiting: 'Connection lost. The upload resumes automatically.',
}

function Speed({ progress: { sent, bytes, state } }: { progress: SendProgress }) {
  if (state.kind !== 'sending' || !state.perSecond) return null
  return (
    <>
      <span>{bytesInWords(state.perSecond)} a second</span>
      <span>{timeInWords((bytes - sent) / state.perSecond)} left</span>
    </>
  )
}
