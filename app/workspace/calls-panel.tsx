import { useQuery } from '@tanstack/react-query'
import { callLink, type StaffBooking } from '#app/booking/rules/booking.ts'
import { callsQuery, useLiveCalls } from '#app/booking/calendar/use-calendar.tsx'
import { guestOf, momentText, statusLooks, timesText } from '#app/booking/calendar/call-text.ts'
import { useNow } from '#app/booking/calendar/use-now.tsx'
import { Badge } from '#app/ui/badge.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { PanelFrame, PanelLink, PanelLinks } from './panel-frame.tsx'

const AHEAD_DAYS = 14

/** Today's calls of every host, in the time zone of this browser. */
export function CallsPanel() {
  const midnight = new Date(useNow())
  midnight.setHours(0, 0, 0, 0)
  const ahead = new Date(midnight)
  ahead.setDate(ahead.getDate() + AHEAD_DAYS)
  const calls = useQuery(callsQuery({ from: midnight, to: ahead }))
  useLiveCalls()
  return (
    <PanelFrame title="Today’s calls" more={{ to: '/admin/calendar', label: 'Calendar' }}>
      {calls.isPending && <Skeleton lines={3} />}
      {calls.isError && <p className="text-small text-muted">The calls did not load. Open the calendar to try again.</p>}
      {calls.data && <Today calls={calls.data} />}
    </PanelFrame>
  )
}

function Today({ calls }: { calls: readonly StaffBooking[] }) {
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone
  const end = new Date(useNow())
  end.setHours(24, 0, 0, 0)
  const today = calls.filter(({ startsAt }) => Date.parse(startsAt) < end.getTime())
  const next = calls.find(({ startsAt, status }) => status === 'booked' && Date.parse(startsAt) >= end.getTime())
  if (today.length === 0) {
    return <p className="text-small text-muted">No calls today.{next && ` Next: ${guestOf(next)}, ${momentText(next.startsAt, zone)}.`}</p>
  }
  return (
    <PanelLinks>
      {today.map((call) => (
        <PanelLink key={call.id} to={callLink(call.id)}>
          <time dateTime={call.startsAt} className="font-mono text-fine tabular-nums text-muted">
            {timesText(call, zone)}
          </time>
          <span className="min-w-0 grow truncate">
            <span className="font-semibold">{guestOf(call)}</span>
            {call.company && <span className="text-muted"> · {call.company}</span>}
          </span>
          {call.status === 'booked' ? (
            <span className="text-fine text-muted">{call.host?.name}</span>
          ) : (
            <Badge look={statusLooks[call.status].look}>{statusLooks[call.status].word}</Badge>
          )}
        </PanelLink>
      ))}
    </PanelLinks>
  )
}
