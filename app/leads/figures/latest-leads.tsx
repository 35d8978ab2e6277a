import { Link, useSearchParams } from 'react-router'
import { Card } from '#app/ui/card.tsx'
import { formatDay } from '#app/ui/moment.ts'
import type { ListedConsultation, ListedContact } from '#app/leads/lead/lead.ts'
import { withChanges } from '#app/ui/admin/view.ts'
import { toTab } from '#app/leads/list/lead-view.ts'

type LatestLeadsProps = { contacts: ListedContact[]; consultations: ListedConsultation[] }

/** The last five of each list, on one line each. */
export function LatestLeads({ contacts, consultations }: LatestLeadsProps) {
  const [params] = useSearchParams()
  return (
    <div className="grid grid-cols-1 gap-4 sm:gap-6 lg:grid-cols-2">
      <Latest title="Latest enquiries" empty="New enquiries appear here automatically.">
        {contacts.map(({ id, name, message, createdAt }) => (
          <Line key={id} to={withChanges(params, { contact: id })} name={name} text={message} date={createdAt} />
        ))}
      </Latest>
      <Latest title="Latest consultations" empty="An enquiry becomes a consultation when you convert it.">
        {consultations.map(({ id, name, projectDescription, createdAt }) => (
          <Line key={id} to={toTab('consultations')} name={name} text={projectDescription} date={createdAt} />
        ))}
      </Latest>
    </div>
  )
}

function Latest({ title, empty, children }: { title: string; empty: string; children: React.ReactNode[] }) {
  return (
    <Card as="section" aria-label={title} className="min-w-0">
      <h2 className="mb-2 text-h3">{title}</h2>
      {children.length === 0 ? <p className="text-small text-muted">{empty}</p> : <ul className="-mx-2">{children}</ul>}
    </Card>
  )
}

function Line({ to, name, text, date }: { to: string; name: string; text: string; date: string }) {
  return (
    <li>
      <Link
        to={to}
        preventScrollReset
        className="flex min-h-9 items-baseline gap-3 rounded-control px-2 py-1.5 text-small hover:bg-sunken pointer-coarse:min-h-11"
      >
        <span className="max-w-[45%] shrink-0 truncate font-semibold">{name}</span>
        <span className="min-w-0 grow truncate text-muted">{text}</span>
        <time dateTime={date} className="shrink-0 font-mono text-fine text-muted">
          {formatDay(date)}
        </time>
      </Link>
    </li>
  )
}
