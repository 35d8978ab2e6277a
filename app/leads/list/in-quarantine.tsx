import { Link } from 'react-router'
import { leadCountText } from '#app/leads/lead/format.ts'
import { QUARANTINE } from './lead-view.ts'

/** Says how many enquiries are in quarantine, where a list of enquiries is empty. */
export function InQuarantine({ count }: { count: number }) {
  return (
    <p>
      {leadCountText(count, 'enquiry waits', 'enquiries wait')} in{' '}
      <Link to={QUARANTINE} preventScrollReset className="link font-semibold">
        Quarantine
      </Link>
      .
    </p>
  )
}
