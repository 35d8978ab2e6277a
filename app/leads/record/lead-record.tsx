import { Link } from 'react-router'
import { ServiceClocks } from '#app/leads/clocks/service-clocks.tsx'
import { elapsedText, hoursSince, waitedSince } from '#app/leads/lead/format.ts'
import { Badge } from '#app/ui/badge.tsx'
import { Card } from '#app/ui/card.tsx'
import { formatDay } from '#app/ui/moment.ts'
import { BookedCalls } from './booked-calls.tsx'
import { FactList } from './fact-list.tsx'
import type { LeadDetail } from './timeline.ts'

type LeadProps = { lead: LeadDetail }

/** A lead in one column: beside a list. Its page has the same parts in two. */
export function LeadRecord({ lead }: LeadProps) {
  return (
    <div className="grid grid-cols-1 gap-5">
      <LeadEnquiry lead={lead} />
      <LeadFacts lead={lead} />
      <OtherLeads leads={lead.otherLeads} />
    </div>
  )
}

/** The state of a lead, and what was asked. */
export function LeadEnquiry({ lead }: LeadProps) {
  return (
    <>
      <LeadBadges lead={lead} />
      <section aria-labelledby="enquiry" className="grid grid-cols-1 gap-2">
        <h2 id="enquiry" className="text-h3">
          {lead.problem}
        </h2>
        <p className="rounded-card bg-sunken px-4 py-3.5 whitespace-pre-line wrap-anywhere">{lead.message}</p>
      </section>
    </>
  )
}

/** The clocks below show when it was answered. */
function LeadBadges({ lead }: LeadProps) {
  const { quarantinedAt, spamReasons, answeredAt, consultationId, promisedFrom, deadlines, withdrawnAt, closedAs } = lead
  const waits = !quarantinedAt && !answeredAt && !withdrawnAt && !closedAs
  if (!quarantinedAt && !consultationId && !waits && !withdrawnAt) return null
  return (
    <p className="flex flex-wrap gap-2">
      {quarantinedAt && <Badge look="alarm">In quarantine</Badge>}
      {quarantinedAt && spamReasons.map((reason) => <Badge key={reason}>{elapsedText(reason)}</Badge>)}
      {consultationId && <Badge look="leaf">Consultation</Badge>}
      {withdrawnAt && <Badge>Withdrawn by the sender</Badge>}
      {waits && <Badge look={hoursSince(deadlines.acknowledgement) > 0 ? 'alarm' : 'grain'}>Waiting {waitedSince(promisedFrom)}</Badge>}
    </p>
  )
}

/** The clocks, the calls and all facts of a lead. */
export function LeadFacts({ lead }: LeadProps) {
  return (
    <>
      {!lead.quarantinedAt && <ServiceClocks contact={lead} />}
      <BookedCalls calls={lead.calls} />
      <Card as="section" aria-label="Facts" pad="none" className="px-4 py-2">
        <FactList lead={lead} />
      </Card>
    </>
  )
}

export function OtherLeads({ leads }: { leads: LeadDetail['otherLeads'] }) {
  if (leads.length === 0) return null
  return (
    <ul aria-label="Other leads of this person" className="divide-y divide-line text-small">
      {leads.map(({ id, reference, problem, createdAt }) => (
        <li key={id} className="flex items-baseline justify-between gap-3 py-1.5">
          <Link to={`/leads/${reference}`} className="link min-w-0 truncate">
            {problem}
          </Link>
          <time dateTime={createdAt} className="shrink-0 font-mono text-fine text-muted">
            {formatDay(createdAt)}
          </time>
        </li>
      ))}
    </ul>
  )
}
