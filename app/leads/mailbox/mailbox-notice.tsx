import { formatMoment } from '#app/ui/moment.ts'
import type { MailboxState } from './unknown-email.ts'

/** One sentence on how replies by email arrive. */
export function MailboxNotice({ mailbox: { state, host, checkedAt, error } }: { mailbox: MailboxState }) {
  if (state === 'missing') {
    return (
      <p className="text-small text-muted">
        Replies by email are not connected: set <code className="font-mono">IMAP_URL</code>.
      </p>
    )
  }
  if (state === 'failing') {
    return (
      <p role="alert" className="text-small font-medium text-alarm">
        Replies by email are interrupted: {error} {checkedAt && `Last read ${formatMoment(checkedAt)}.`}
      </p>
    )
  }
  return (
    <p className="text-small text-muted">
      {state === 'connecting'
        ? `Connecting to ${host}...`
        : `Replies arrive from ${host}${checkedAt ? `, last read ${formatMoment(checkedAt)}` : ''}.`}
    </p>
  )
}
