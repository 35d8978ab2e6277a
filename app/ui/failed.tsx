import { Button } from './button.tsx'

type FailedProps = {
  /** Its message is for the log of the browser, unless it comes with a sentence for people. */
  error: Error & { detail?: string }
  retry?: () => unknown
  title?: string
}

/** Something did not load. Says so, and offers to try again. */
export function Failed({ error, retry, title = 'This did not load' }: FailedProps) {
  return (
    <div role="alert" className="grid justify-items-start gap-3 rounded-card border border-line bg-surface px-6 py-5">
      <h3 className="flex items-center gap-2.5">
        <span className="size-2.5 rounded-full bg-alarm" />
        {title}
      </h3>
      <p className="text-muted">{error.detail ?? 'The connection may have been interrupted. Nothing was lost.'}</p>
      {retry && (
        <Button type="button" look="quiet" onClick={() => void retry()}>
          Try again
        </Button>
      )}
    </div>
  )
}
