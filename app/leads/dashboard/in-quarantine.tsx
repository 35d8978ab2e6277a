import { Link } from 'react-router'
import { leadCountText } from './format.ts'
import { QUARANTINE } from './lead-view.ts'

/** An empty list of enquiries says where the others are. */
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
