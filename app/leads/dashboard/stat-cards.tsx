import { Card } from '#app/ui/card.tsx'
import { formatCount } from './format.ts'
import type { LeadSummary } from '#app/leads/inbox/lead-summary.ts'

/** The four main figures of staff. */
export function StatCards({ summary }: { summary: LeadSummary }) {
  const { contacts, consultations, total, conversionRate, people } = summary
  return (
    <dl className="grid grid-cols-2 gap-4 sm:gap-6 lg:grid-cols-4">
      <Stat label="Total Contacts" value={formatCount(contacts)}>
        Lead inquiries
      </Stat>
      <Stat label="Consultations" value={formatCount(consultations)}>
        Booking requests
      </Stat>
      <Stat label="Total Leads" value={formatCount(total)}>
        Contacts and consultations
      </Stat>
      <Stat label="Conversion Rate" value={`${conversionRate}%`}>
        {people.wrote > 0
          ? `By people, ${people.days} days: ${people.agreed} of ${formatCount(people.wrote)} (${people.conversionRate}%)`
          : 'Consultations per contact'}
      </Stat>
    </dl>
  )
}

function Stat({ label, value, children }: { label: string; value: string; children: React.ReactNode }) {
  return (
    <Card className="grid content-start gap-3 max-sm:p-4">
      <dt className="text-small font-semibold max-sm:text-fine">{label}</dt>
      <dd className="grid gap-1">
        <span className="font-mono text-h2 leading-none font-medium tracking-tight tabular-nums">{value}</span>
        <span className="text-fine text-muted">{children}</span>
      </dd>
    </Card>
  )
}
