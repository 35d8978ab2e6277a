import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { useOpened } from '#app/account/notifications/use-unread.tsx'
import { callLink, type StaffBooking } from '#app/booking/rules/booking.ts'
import { type Neighbors, RecordDrawer, RecordFacts } from '#app/ui/admin/record.tsx'
import { Badge } from '#app/ui/badge.tsx'
import { EmailText } from '#app/ui/email-text.tsx'
import { Button } from '#app/ui/button.tsx'
import type { CalendarProps } from './calendar-dialog.ts'
import { guestOf, longDayText, momentText, statusLooks, timesText, zoneText } from './call-text.ts'
import { callQuery } from './use-calendar.tsx'
import { useNow } from './use-now.tsx'

type CallDialogProps = CalendarProps & { call: StaffBooking; close: () => void }

type OpenCallProps = CalendarProps & {
  id: string
  /** As the list has it. */
  known?: StaffBooking
  neighbors?: Neighbors
  close: () => void
}

/** Everything about one call, and the changes that its state allows. */
export function CallDialog({ id, known, neighbors, ...props }: OpenCallProps) {
  const call = useQuery({ ...callQuery(id), ...(known && { initialData: known }) })
  useOpened(callLink(id))
  return (
    <RecordDrawer
      query={call}
      one="call"
      titleOf={guestOf}
      renderState={(row) => <CallState call={row} />}
      renderActions={(row) => <CallActions {...props} call={row} />}
      neighbors={neighbors}
      close={props.close}
    >
      {(row) => <CallRecord call={row} zone={props.you.zone} />}
    </RecordDrawer>
  )
}

const sources = { site: '', calendly: 'Calendly', cal: 'Cal.com', embed: 'Embedded calendar' }

function CallState({ call: { status, source, isVerified } }: { call: StaffBooking }) {
  const { word, look } = statusLooks[status]
  return (
    <>
      <Badge look={look}>{word}</Badge>
      {sources[source] && <Badge>{sources[source]}</Badge>}
      {!isVerified && <Badge look="grain">Unconfirmed</Badge>}
    </>
  )
}

function CallRecord({ call, zone }: { call: StaffBooking; zone: string }) {
  const { startsAt, email, phone, company, contactId, reference } = call
  const guestZone = call.timeZone ?? zone
  const facts = [
    ['For the guest', guestZone !== zone && `${momentText(startsAt, guestZone)} in ${zoneText(guestZone)}`],
    ['Call', call.title],
    ['Host', call.host?.name],
    ['Place', call.place && <Place place={call.place} />],
    ['Company', company],
    ['Email', email && <Address scheme="mailto" value={email} />],
    ['Phone', phone && <Address scheme="tel" value={phone} />],
    [
      'Enquiry',
      contactId && (
        <Link to={`/dashboard?contact=${contactId}`} className="link">
          Open the enquiry
        </Link>
      ),
    ],
    [
      'Reference',
      <span key="reference" className="font-mono text-fine">
        {reference}
      </span>,
    ],
  ] as const
  return (
    <div className="grid gap-5 text-small">
      <p className="font-medium">
        {longDayText(startsAt, zone)}
        <br />
        <span className="font-mono tabular-nums">{timesText(call, zone)}</span> in {zoneText(zone)}
      </p>
      <RecordFacts facts={facts} />
      <section className="grid gap-1">
        <h3 className="font-sans text-small font-semibold tracking-normal">About</h3>
        <p className="whitespace-pre-wrap wrap-anywhere">{call.projectDescription ?? 'Not given'}</p>
      </section>
      {call.answers.length > 0 && (
        <dl className="grid gap-3">
          {call.answers.map(({ question, answer }) => (
            <div key={question}>
              <dt className="text-muted">{question}</dt>
              <dd className="wrap-anywhere">{answer}</dd>
            </div>
          ))}
        </dl>
      )}
      {call.changeReason && (
        <p className="rounded-control bg-sunken px-3 py-2">
          <span className="text-muted">{call.changedBy === 'guest' ? 'Reason of the guest: ' : 'Reason: '}</span>
          {call.changeReason}
        </p>
      )}
    </div>
  )
}

function Place({ place }: { place: string }) {
  if (!/^https:\/\/\S+$/.test(place)) return place
  return (
    <a href={place} rel="noreferrer" target="_blank" className="link wrap-anywhere">
      {place}
    </a>
  )
}

function Address({ scheme, value }: { scheme: 'mailto' | 'tel'; value: string }) {
  if (scheme === 'mailto') {
    return (
      <a href={`mailto:${value}`} className="link wrap-anywhere">
        <EmailText>{value}</EmailText>
      </a>
    )
  }
  return (
    <a href={`tel:${value.replaceAll(/[^\d+]/g, '')}`} className="link">
      {value}
    </a>
  )
}

function CallActions(props: CallDialogProps) {
  const { call } = props
  const hasBegun = Date.parse(call.startsAt) <= useNow()
  if (!call.host) return <p className="mr-auto text-small text-muted">This call is in another calendar. Change it there.</p>
  if (call.status === 'booked') return <BookedActions {...props} hasBegun={hasBegun} />
  if (!hasBegun || call.status === 'cancelled') return null
  return call.status === 'no_show' ? (
    <Settle {...props} status="complete" look="quiet" />
  ) : (
    <Settle {...props} status="no_show" look="quiet" />
  )
}

function BookedActions(props: CallDialogProps & { hasBegun: boolean }) {
  const { call, hosts, open, hasBegun } = props
  return (
    <>
      <Button type="button" look="quiet" onClick={() => open({ kind: 'cancel', call })}>
        Cancel call
      </Button>
      {hosts.length > 1 && (
        <Button type="button" look="quiet" onClick={() => open({ kind: 'hand_over', call })}>
          Hand over
        </Button>
      )}
      {hasBegun ? (
        <>
          <Settle {...props} status="no_show" look="quiet" />
          <Settle {...props} status="complete" look="primary" />
        </>
      ) : (
        <Button type="button" onClick={() => open({ kind: 'move', call })}>
          Move
        </Button>
      )}
    </>
  )
}

type SettleProps = Pick<CallDialogProps, 'call' | 'open'> & { status: 'complete' | 'no_show'; look: 'primary' | 'quiet' }

function Settle({ call, open, status, look }: SettleProps) {
  return (
    <Button type="button" look={look} onClick={() => open({ kind: 'settle', call, status })}>
      {status === 'complete' ? 'Mark completed' : 'Mark no-show'}
    </Button>
  )
}
