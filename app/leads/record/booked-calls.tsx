import { Link } from 'react-router'
import type { WholeContact } from '#app/leads/lead/lead.ts'
import { Badge } from '#app/ui/badge.tsx'
import { formatMoment } from '#app/ui/moment.ts'

const outcomes = {
  booked: { word: 'Booked', look: 'plain' },
  cancelled: { word: 'Cancelled', look: 'alarm' },
  completed: { word: 'Completed', look: 'leaf' },
  no_show: { word: 'No-show', look: 'alarm' },
} as const

/** The calls with the sender of an enquiry, each with a link to the calendar. They do not stop its clocks: only staff do. */
export function BookedCalls({ calls }: Pick<WholeContact, 'calls'>) {
  if (calls.length === 0) return null
  return (
    <section aria-labelledby="booked-calls">
      <h3 id="booked-calls" className="mb-2">
        Calls
      </h3>
      <ul className="divide-y divide-line">
        {calls.map(({ id, startsAt, status }) => (
          <li key={id} className="flex items-baseline justify-between gap-4 py-2.5">
            <Link to={`/admin/calendar?call=${id}`} className="link">
              <time dateTime={startsAt}>{formatMoment(startsAt)}</time>
            </Link>
            <Outcome status={status} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Outcome({ status }: Pick<WholeContact['calls'][number], 'status'>) {
  const { word, look } = outcomes[status]
  return look === 'plain' ? <span className="text-fine text-muted">{word}</span> : <Badge look={look}>{word}</Badge>
}
