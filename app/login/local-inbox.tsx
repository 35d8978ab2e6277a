import { href } from 'react-router'

/** Where a letter is to be found on one's own machine, from which no mail server takes it anywhere. */
export function LocalInbox() {
  return (
    <p className="text-small text-muted">
      No mail server is set, so the email waits on this machine:{' '}
      <a href={href('/dev/mail')} className="link">
        read it there
      </a>
      .
    </p>
  )
}
