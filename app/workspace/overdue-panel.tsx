import { Link } from 'react-router'
import { leadCountText, waitedSince } from '#app/leads/lead/format.ts'
import { countsBusinessHours, promisedTime } from '#app/content/hours.ts'
import { promises } from '#app/leads/lead/promises.ts'
import type { Overdue, OverdueLead } from '#app/leads/clocks/clocks.ts'
import { Badge } from '#app/ui/badge.tsx'
import { PanelFrame, PanelLink, PanelLinks } from './panel-frame.tsx'
import type { StaffHome } from './workspace.ts'

/** Overdue enquiries, longest first. An automatic email stops no clock. */
export function OverduePanel({ home: { overdue } }: { home: StaffHome }) {
  return (
    <PanelFrame title="Overdue">
      {overdue.leads.length === 0 ? <NothingOverdue inTime={overdue.inTime} /> : <Late overdue={overdue} />}
    </PanelFrame>
  )
}

function NothingOverdue({ inTime }: Pick<Overdue, 'inTime'>) {
  return (
    <p className="text-small text-muted">
      Nothing is overdue. The site promises an acknowledgement within {promisedTime('acknowledgement')} and a proposal within{' '}
      {promisedTime('proposal')}.
      {inTime > 0 && (
        <>
          {' '}
          <Link to="/dashboard?filter=waiting&sort=createdAt" className="link">
            {leadCountText(inTime, 'open enquiry, on time', 'open enquiries, on time')}
          </Link>
          .
        </>
      )}
    </p>
  )
}

function Late({ overdue: { acknowledgement, proposal, inTime, leads } }: { overdue: Overdue }) {
  return (
    <>
      <ul className="mb-3 grid gap-x-8 text-small sm:grid-cols-2">
        <Count count={acknowledgement} hours={promises.readHours} what="not acknowledged" filter="waiting" />
        <Count count={proposal} hours={promises.proposalHours} what="no proposal" filter="unproposed" />
      </ul>
      <PanelLinks>
        {leads.map((lead) => (
          <Line key={lead.id} lead={lead} />
        ))}
      </PanelLinks>
      {inTime > 0 && <p className="mt-5 text-fine text-muted">{inTime} more, still on time.</p>}
    </>
  )
}

function Count({ count, hours, what, filter }: { count: number; hours: number; what: string; filter: string }) {
  if (count === 0) return null
  return (
    <li>
      <Link
        to={`/dashboard?filter=${filter}&sort=createdAt`}
        className="inline-flex min-h-11 flex-wrap items-center gap-x-2 hover:underline"
      >
        <strong className="font-mono text-h3 font-medium text-alarm tabular-nums">{count}</strong>
        <span>
          {what} (&gt;{hours} {countsBusinessHours() ? 'business h' : 'h'})
        </span>
      </Link>
    </li>
  )
}

function Line({ lead: { id, name, company, promisedFrom, acknowledgement, proposal } }: { lead: OverdueLead }) {
  return (
    <PanelLink to={`/dashboard?contact=${id}`}>
      <span className="min-w-0 grow basis-40 truncate">
        <span className="font-semibold">{name}</span>
        {company && <span className="text-muted"> · {company}</span>}
      </span>
      <time dateTime={promisedFrom} className="font-mono text-fine text-muted sm:order-last sm:w-16 sm:text-right">
        {waitedSince(promisedFrom)}
      </time>
      <span className="flex flex-wrap gap-2 max-sm:w-full">
        {acknowledgement && <Badge look="alarm">Acknowledgement</Badge>}
        {proposal && <Badge look="alarm">Proposal</Badge>}
      </span>
    </PanelLink>
  )
}
