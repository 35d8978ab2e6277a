import { brokenOf } from './publish-button.tsx'
import type { StaffVersion } from '#app/datasets/catalog/version.ts'
import { ActionButton } from '#app/ui/admin/action-button.tsx'
import { ApiError } from '#app/platform/browser/api.ts'
import { bytesInWords } from '#app/ui/amount.ts'
import { Button } from '#app/ui/button.tsx'
import { Progress } from '#app/ui/progress.tsx'
import { timeInWords } from '#app/ui/pace.ts'
import type { SendProgress, SendState } from './sender.ts'
import type { ActiveUpload } from './active-uploads.ts'
import { cancelUpload, dismissUpload, isFinished, pauseUpload, resumeUpload } from './uploads.ts'

type UploadProgressProps = {
  upload: ActiveUpload
  /** The version that it became, once the file has arrived. */ version: StaffVersion | undefined
}

/** Progress, speed and remaining time of an upload, with Pause; in the end, the state of its version. */
export function UploadProgress({ upload, version }: UploadProgressProps) {
  const { productId, fileName, progress } = upload
  const { sent, bytes, state } = progress
  const cancel = { send: async () => cancelUpload(productId), failed: 'Upload not canceled', touches: [] }
  const goOn = verbs[state.kind]
  const hasEnded = isFinished(progress)
  return (
    <section aria-label="Upload" className="grid gap-3 rounded-card border border-line bg-surface px-5 py-5">
      <p className="font-mono text-small font-semibold wrap-anywhere">{fileName}</p>
      <Progress label="Sent" value={sent} max={bytes} hasTime={false}>
        <span>
          {bytesInWords(sent)} of {bytesInWords(bytes)}
        </span>
        <Speed progress={progress} />
      </Progress>
      <p role="status" className="text-small">
        {wordsOf(progress, version)}
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
          <ActionButton action={cancel} size="small" pending="Canceling...">
            Cancel the upload
          </ActionButton>
        )}
      </div>
    </section>
  )
}

/** The button that resumes it. */
const verbs: Partial<Record<SendState['kind'], string>> = { paused: 'Resume', waiting: 'Try now', failed: 'Try again' }

function Speed({ progress: { sent, bytes, state } }: { progress: SendProgress }) {
  if (state.kind !== 'sending' || !state.perSecond) return null
  return (
    <>
      <span>{bytesInWords(state.perSecond)} a second</span>
      <span>{timeInWords((bytes - sent) / state.perSecond)} left</span>
    </>
  )
}

function wordsOf({ state }: SendProgress, version: StaffVersion | undefined): string {
  switch (state.kind) {
    case 'sending':
      return 'Uploading. You can work on other pages, but keep this window open.'
    case 'paused':
      return 'Paused. You can resume later, even after closing this window.'
    case 'waiting':
      return 'Connection lost. The upload resumes automatically.'
    case 'arrived':
      return arrivedInWords(version)
    case 'failed':
      return state.error instanceof ApiError ? state.error.detail : state.error.message
  }
}

function arrivedInWords(version: StaffVersion | undefined): string {
  if (!version || version.state === 'processing') return 'Upload complete. Processing…'
  const name = `Version ${version.number}`
  if (version.state === 'refused') return `${name} was rejected. The reason is below.`
  if (brokenOf(version).length > 0) return `${name} is held. The reason is below.`
  return version.state === 'ready' ? `${name} is ready. Check it below, then publish it.` : `${name} is published.`
}
