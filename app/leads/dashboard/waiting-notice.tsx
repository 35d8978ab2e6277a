import { Link, useSearchParams } from 'react-router'
import { promises } from '#app/leads/promises.ts'
import { leadCountText } from './format.ts'
import type { LeadSummary } from '#app/leads/inbox/lead-summary.ts'

/** The overdue enquiries. Renders nothing when there are none. */
export function WaitingNotice({ waiting }: Pick<LeadSummary, 'waiting'>) {
  if (waiting.overAcknowledgement === 0) return null
  const { overAcknowledgement, overResponse } = waiting
  return (
    <p className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-2 rounded-card border border-l-4 border-line border-l-alarm bg-surface px-5 py-3.5 text-small">
      <span>
        <strong className="text-alarm">
          {leadCountText(overAcknowledgement, 'enquiry is', 'enquiries are')} past the {promises.readHours}-hour reply target
        </strong>
        {overResponse > 0 && ` (${overResponse} past ${promises.answerHours} hours)`}.
      </span>
      <ShowWaiting />
    </p>
  )
}

function ShowWaiting() {
  const [params] = useSearchParams()
  if (params.get('filter') === 'waiting') return null
  return (
    <Link to="?filter=waiting&sort=createdAt" preventScrollReset className="link font-semibold">
      View overdue
    </Link>
  )
}
