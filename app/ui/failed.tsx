import { Button } from './button.tsx'

type FailedProps = {
  /** Its message is for the log of the browser, unless it comes with a sentence for people. */
  error: Error & { detail?: string }
  retry?: () => unknown
  title?: string
  /** Which heading it is: `h2` where nothing but the page's own stands above it. */
  as?: 'h2' | 'h3'
}

/** Something did not load. Says so, and offers to try again. */
export function Failed({ error, retry, title = 'This did not load', as: Title = 'h3' }: FailedProps) {
  return (
    <div role="alert" className="grid justify-items-start gap-3 rounded-card border border-line bg-surface px-6 py-5">
      <Title className="flex items-center gap-2.5 text-h3">
        <span className="size-2.5 rounded-full bg-alarm" />
        {title}
      </Title>
      <p className="text-muted">{error.detail ?? 'The connection may have been interrupted. Nothing was lost.'}</p>
      {retry && (
        <Button type="button" look="quiet" onClick={() => void retry()}>
          Try again
        </Button>
      )}
    </div>
  )
}
