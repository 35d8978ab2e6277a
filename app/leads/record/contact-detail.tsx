import { enquiryLines, factOf } from '#app/leads/lead/lead-facts.ts'
import { Badge } from '#app/ui/badge.tsx'
import { formatDay, formatMoment } from '#app/ui/moment.ts'
import { BookedCalls } from './booked-calls.tsx'
import { hoursSince, elapsedText, waitedSince } from '#app/leads/lead/format.ts'
import type { WholeContact } from '#app/leads/lead/lead.ts'
import { OpenContact } from '#app/leads/list/open-contact.tsx'
import { ServiceClocks } from '#app/leads/clocks/service-clocks.tsx'

/** An enquiry with all its fields, and the data that we have about it. */
export function ContactDetail({ contact }: { contact: WholeContact }) {
  const { message, others } = contact
  return (
    <div className="grid grid-cols-1 gap-6 text-small">
      <LeadStatusBadge contact={contact} />
      {!contact.quarantinedAt && <ServiceClocks contact={contact} />}
      <BookedCalls calls={contact.calls} />
      <p className="rounded-card bg-sunken px-4 py-3.5 text-body whitespace-pre-line">{message}</p>
      <Facts contact={contact} />
      {others.length > 0 && (
        <section aria-labelledby="other-enquiries">
          <h3 id="other-enquiries" className="mb-2">
            Also from this person
          </h3>
          <ul className="divide-y divide-line">
            {others.map((other) => (
              <li key={other.id} className="relative flex items-baseline justify-between gap-4 py-2.5 hover:bg-sunken">
                <span className="min-w-0 truncate">
                  <OpenContact id={other.id}>{other.message}</OpenContact>
                </span>
                <time dateTime={other.createdAt} className="shrink-0 font-mono text-fine text-muted">
                  {formatDay(other.createdAt)}
                </time>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}

/** The badges of the enquiry. The clocks below show when it was answered. */
function LeadStatusBadge({
  contact: { quarantinedAt, spamReasons, answeredAt, consultationId, promisedFrom, deadlines, withdrawnAt, closedAs },
}: {
  contact: WholeContact
}) {
  const waits = !quarantinedAt && !answeredAt && !withdrawnAt && !closedAs
  if (!quarantinedAt && !consultationId && !waits && !withdrawnAt) return null
  return (
    <p className="flex flex-wrap gap-2">
      {quarantinedAt && <Badge look="alarm">In quarantine</Badge>}
      {quarantinedAt && spamReasons.map((reason) => <Badge key={reason}>{elapsedText(reason)}</Badge>)}
      {consultationId && <Badge look="leaf">Consultation</Badge>}
      {withdrawnAt && <Badge>Withdrawn</Badge>}
      {waits && <Badge look={hoursSince(deadlines.acknowledgement) > 0 ? 'alarm' : 'grain'}>Waiting {waitedSince(promisedFrom)}</Badge>}
    </p>
  )
}

function Facts({ contact }: { contact: WholeContact }) {
  const { email, reference, createdAt } = contact
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2 [&_dt]:text-muted">
      <dt>Email</dt>
      <dd className="min-w-0 break-words">
        <a href={`mailto:${email}?subject=${encodeURIComponent(`Your enquiry ${reference}`)}`} className="link">
          {email}
        </a>
      </dd>
      {enquiryLines(contact).map(({ name, label, value = factOf(name).missing }) => (
        <Fact key={name} name={label}>
          {value}
        </Fact>
      ))}
      <Fact name="Received">{formatMoment(createdAt)}</Fact>
      <Fact name="Reference">
        <span className="font-mono">{reference}</span>
      </Fact>
    </dl>
  )
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  if (children === undefined) return null
  return (
    <>
      <dt>{name}</dt>
      <dd className="min-w-0 break-words whitespace-pre-line">{children}</dd>
    </>
  )
}
