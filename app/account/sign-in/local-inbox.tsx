import { href } from 'react-router'

/** The link to the inbox of a development machine, from which no email is delivered. */
export function LocalInbox() {
  return (
    <p className="text-small text-muted">
      No mail server is set. Emails are stored on this machine:{' '}
      <a href={href('/dev/mail')} className="link">
        open the inbox
      </a>
      .
    </p>
  )
}
