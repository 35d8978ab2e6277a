import { Link } from 'react-router'
import { useOpened } from '#app/account/notifications/use-unread.tsx'
import { callLink, type StaffBooking } from '#app/booking/rules/booking.ts'
import { Badge } from '#app/ui/badge.tsx'
import { EmailText } from '#app/ui/email-text.tsx'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import type { CalendarProps } from './calendar-dialog.ts'
import { guestOf, longDayText, momentText, statusLooks, timesText, zoneText } from './call-text.ts'
import { useNow } from './use-now.tsx'

type CallDialogProps = CalendarProps & { call: StaffBooking; close: () => void }

/** Everything about one call, and the changes that its state allows. */
export function CallDialog(props: CallDialogProps) {
  const { call, close } = props
  useOpened(callLink(call.id))
  return (
    <Dialog open side onClose={close} title={guestOf(call)} actions={<CallActions {...props} />}>
      <div className="grid gap-5 text-small">
        <When {...props} />
        <Guest call={call} />
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
        <p className="font-mono text-fine text-muted">{call.reference}</p>
      </div>
    </Dialog>
  )
}

const sources = { site: '', calendly: 'Calendly', cal: 'Cal.com', embed: 'Embedded calendar' }

function When({ call, you: { zone } }: CallDialogProps) {
  const { word, look } = statusLooks[call.status]
  const isElsewhere = call.timeZone !== null && call.timeZone !== zone
  return (
    <section aria-label="Time" className="grid gap-1.5">
      <p className="flex flex-wrap gap-2">
        <Badge look={look}>{word}</Badge>
        {sources[call.source] && <Badge>{sources[call.source]}</Badge>}
        {!call.isVerified && <Badge look="grain">Unconfirmed</Badge>}
      </p>
      <p className="font-medium">
        {longDayText(call.startsAt, zone)}
        <br />
        <span className="font-mono tabular-nums">{timesText(call, zone)}</span> in {zoneText(zone)}
      </p>
      {isElsewhere && (
        <p className="text-muted">
          For the guest: {momentText(call.startsAt, call.timeZone ?? zone)} in {zoneText(call.timeZone ?? zone)}
        </p>
      )}
      {call.title && <p className="text-muted">{call.title}</p>}
      {call.host && <p className="text-muted">Host: {call.host.name}</p>}
      {call.place && <Place place={call.place} />}
    </section>
  )
}

function Place({ place }: { place: string }) {
  if (!/^https:\/\/\S+$/.test(place)) return <p className="text-muted">{place}</p>
  return (
    <p>
      <a href={place} rel="noreferrer" target="_blank" className="link wrap-anywhere">
        {place}
      </a>
    </p>
  )
}

function Guest({ call: { email, phone, company, contactId } }: { call: StaffBooking }) {
  return (
    <section aria-label="Guest" className="grid gap-1">
      {company && <p>{company}</p>}
      {email && (
        <p>
          <a href={`mailto:${email}`} className="link wrap-anywhere">
            <EmailText>{email}</EmailText>
          </a>
        </p>
      )}
      {phone && (
        <p>
          <a href={`tel:${phone.replaceAll(/[^\d+]/g, '')}`} className="link">
            {phone}
          </a>
        </p>
      )}
      {contactId && (
        <p>
          <Link to={`/dashboard?contact=${contactId}`} className="link">
            Open the enquiry
          </Link>
        </p>
      )}
    </section>
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
