import type { OwnEnquiry } from '#app/leads/lead/lead.ts'
import { nextStepsOf } from '#app/leads/lead/next-step.ts'
import { identity } from '#app/content/identity.ts'
import { Badge } from '#app/ui/badge.tsx'
import { Card } from '#app/ui/card.tsx'
import { cx } from '#app/ui/class-names.ts'
import { formatDay, formatMoment } from '#app/ui/moment.ts'

const stages = {
  received: { look: 'grain', label: 'Received' },
  answered: { look: 'leaf', label: 'Answered' },
  consultation: { look: 'leaf', label: 'Consultation' },
  proposal: { look: 'leaf', label: 'Proposal' },
  withdrawn: { look: 'grain', label: 'Withdrawn' },
  granted: { look: 'leaf', label: 'Granted' },
  declined: { look: 'plain', label: 'Declined' },
} as const

/** One enquiry as its customer sees it: the request, its status, and the next step with its deadline. */
export function OwnEnquiryCard({ enquiry }: { enquiry: OwnEnquiry }) {
  const { reference, serviceType, problem, message, createdAt, stage } = enquiry
  return (
    <Card as="li" className="grid gap-3">
      <p className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 font-mono text-fine text-muted">
        <span>
          {reference} · <time dateTime={createdAt}>{formatDay(createdAt)}</time>
        </span>
        <Badge look={stages[stage].look}>{stages[stage].label}</Badge>
      </p>
      <h3>{serviceType ?? problem}</h3>
      <p className="line-clamp-3 whitespace-pre-line text-muted">{message}</p>
      <Next enquiry={enquiry} />
    </Card>
  )
}

function Next({ enquiry }: { enquiry: OwnEnquiry }) {
  const steps = nextStepsOf(enquiry)
  return (
    <div className="grid gap-2 border-t border-line pt-3 text-small">
      <ul className="grid gap-1.5" aria-label="What happens next">
        {steps.map(({ text, by, isLate }) => (
          <li key={text} className="flex flex-wrap items-baseline gap-x-3">
            {by && (
              <time dateTime={by} className={cx('font-mono text-fine', isLate ? 'text-alarm' : 'text-muted')}>
                {isLate ? 'Was due' : 'By'} {formatMoment(by)}
              </time>
            )}
            {text}
          </li>
        ))}
      </ul>
      {steps.some(({ isLate }) => isLate) && (
        <p className="text-muted">
          No reply yet? We’re late.{' '}
          <a href={`mailto:${identity.email}?subject=${encodeURIComponent(`Enquiry ${enquiry.reference}`)}`} className="link">
            Write to {identity.email}
          </a>
          .
        </p>
      )}
    </div>
  )
}
