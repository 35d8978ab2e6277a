import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { z } from 'zod/mini'
import { apiQuery } from '#app/platform/browser/api.ts'
import { emailSummary } from './emails.ts'

/** Shared with the emails page, so both send one request. */
const COUNTED = 100

/** Warns about failed emails and links to them. Renders nothing without failures. */
export function FailedEmails() {
  const failed = useQuery(apiQuery(`/api/letters?state=failed&limit=${COUNTED}`, z.array(emailSummary)))
  const count = failed.data?.length ?? 0
  if (count === 0) return null
  return (
    <p className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-2 rounded-card border border-l-4 border-line border-l-alarm bg-surface px-5 py-3.5 text-small">
      <strong className="text-alarm">
        {count === 1 ? 'One email' : `${count === COUNTED ? `${COUNTED} or more` : count} emails`} could not be sent.
      </strong>
      <Link to="/dashboard/letters" className="link font-semibold">
        Show them
      </Link>
    </p>
  )
}
