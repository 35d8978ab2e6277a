import { ButtonLink } from './button-link.tsx'
import { Button } from './button.tsx'

type FailedProps = {
  /** Its message is for the browser's console, unless it has a `detail` for people. */
  error: Error & { detail?: string; wayOut?: { label: string; url: string } | undefined }
  retry?: () => unknown
  title?: string
  /** The level of its heading: `h2` directly below the page's own heading. */
  as?: 'h2' | 'h3'
}

/** Something did not load. Shows the reason, and the way out, or a button to try again. */
export function Failed({ error, retry, title = 'This did not load', as: Title = 'h3' }: FailedProps) {
  return (
    <div role="alert" className="grid justify-items-start gap-3 rounded-card border border-line bg-surface px-6 py-5">
      <Title className="flex items-center gap-2.5 text-h3">
        <span className="size-2.5 rounded-full bg-alarm" />
        {title}
      </Title>
      <p className="text-muted">{error.detail ?? 'The connection may have been interrupted. Nothing was lost.'}</p>
      {error.wayOut && <ButtonLink to={error.wayOut.url}>{error.wayOut.label}</ButtonLink>}
      {retry && !error.wayOut && (
        <Button type="button" look="quiet" onClick={() => void retry()}>
          Try again
        </Button>
      )}
    </div>
  )
}
