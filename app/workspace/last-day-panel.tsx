import { formatCount, waitedSince } from '#app/leads/lead/format.ts'
import { NO_SERVICE_TYPE } from '#app/leads/lead/lead-facts.ts'
import { PanelFrame, PanelLink, PanelLinks } from './panel-frame.tsx'
import type { StaffHome } from './workspace.ts'

/** The changes of the last 24 hours, and the conversion of enquiries to calls. */
export function LastDayPanel({ home: { lastDay, conversion } }: { home: StaffHome }) {
  const { contacts, consultations, newest } = lastDay
  const { conversionRate } = conversion
  return (
    <PanelFrame title="Last 24 hours" more={{ to: '/dashboard', label: 'All leads' }}>
      <dl className="grid grid-cols-3 gap-4">
        <Figure name="Enquiries" value={formatCount(contacts)} />
        <Figure name="Consultations" value={formatCount(consultations)} />
        <Figure name="Conversion" value={conversionRate === null ? '-' : `${conversionRate}%`} />
      </dl>
      <p className="mt-2 mb-4 border-b border-line pb-4 text-fine text-muted">Conversion: consultations per 100 contacts, all time.</p>
      {newest.length === 0 ? (
        <p className="text-small text-muted">No enquiries since yesterday. New ones appear here automatically.</p>
      ) : (
        <PanelLinks>
          {newest.map(({ id, name, serviceType, createdAt }) => (
            <PanelLink key={id} to={`/dashboard?contact=${id}`}>
              <span className="min-w-0 truncate">
                <span className="font-semibold">{name}</span>
                <span className="text-muted"> · {serviceType || NO_SERVICE_TYPE}</span>
              </span>
              <time dateTime={createdAt} className="font-mono text-fine text-muted">
                {waitedSince(createdAt)} ago
              </time>
            </PanelLink>
          ))}
        </PanelLinks>
      )}
    </PanelFrame>
  )
}

function Figure({ name, value }: { name: string; value: string }) {
  return (
    <div className="grid content-start gap-1">
      <dt className="text-fine text-muted">{name}</dt>
      <dd className="font-mono text-h3 leading-tight font-medium tabular-nums">{value}</dd>
    </div>
  )
}
