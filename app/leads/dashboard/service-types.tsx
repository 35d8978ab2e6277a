import { Link } from 'react-router'
import { Card } from '#app/ui/card.tsx'
import { formatCount } from './format.ts'
import { NO_SERVICE_TYPE } from '#app/leads/lead-fields.ts'
import type { LeadSummary } from '#app/leads/inbox/lead-summary.ts'

/** The most requested services. Each bar is text and a link to its leads. */
export function ServiceTypes({ counts }: { counts: LeadSummary['serviceTypes'] }) {
  const most = Math.max(1, ...counts.map(({ count }) => count))
  return (
    <Card as="section" aria-labelledby="service-types" className="flex flex-col">
      <h2 id="service-types" className="mb-4 text-h3">
        Service Type Distribution
      </h2>
      {counts.length === 0 && <p className="text-small text-muted">Requested services are counted here from the first enquiry.</p>}
      <ul className="-mx-2 grid max-h-96 grow content-start gap-0.5 overflow-y-auto">
        {counts.map(({ serviceType, count }) => (
          <li key={serviceType}>
            <Link
              to={`?service=${serviceType === NO_SERVICE_TYPE ? '' : encodeURIComponent(serviceType)}`}
              preventScrollReset
              className="group grid gap-1.5 rounded-control px-2 py-1.5 hover:bg-sunken"
            >
              <span className="flex items-baseline justify-between gap-4 text-small">
                <span className="min-w-0 truncate group-hover:underline">{serviceType}</span>
                <span className="font-mono tabular-nums">{formatCount(count)}</span>
              </span>
              <span aria-hidden="true" className="h-1.5 rounded-full bg-sunken">
                <span className="block h-full min-w-1.5 rounded-full bg-grain" style={{ width: `${(count / most) * 100}%` }} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  )
}
