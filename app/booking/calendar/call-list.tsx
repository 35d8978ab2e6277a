import { useQuery } from '@tanstack/react-query'
import type { StaffBooking } from '#app/booking/rules/booking.ts'
import type { ListFilter } from '#app/ui/admin/list-filters.tsx'
import { ListPage } from '#app/ui/admin/list-page.tsx'
import type { MenuEntry } from '#app/ui/admin/open-menu.tsx'
import type { TableColumn } from '#app/ui/admin/use-table.ts'
import { useView } from '#app/ui/admin/use-view.tsx'
import { Badge } from '#app/ui/badge.tsx'
import type { CalendarProps } from './calendar-dialog.ts'
import { guestOf, momentText, statusLooks, timesText } from './call-text.ts'
import { hostOptions, useChosenHost } from './host-filter.tsx'
import { callsQuery } from './use-calendar.tsx'
import { useNow } from './use-now.tsx'
import { addDays, clockAt, momentOnClock } from './zoned-time.ts'

const DAYS = 90

const views = {
  upcoming: { label: 'Today and later', none: 'No upcoming calls', hint: 'Calls that visitors book appear here.' },
  past: { label: `Last ${DAYS} days`, none: 'No past calls', hint: 'Calls of the last 90 days appear here.' },
  cancelled: { label: 'Cancelled', none: 'No cancelled calls', hint: `Calls that were cancelled appear here, for ${DAYS} days.` },
}

type View = keyof typeof views

/** Calls as a table: upcoming, past or cancelled ones. */
export function CallList(props: CalendarProps) {
  const { hosts, you, open } = props
  const { params } = useView()
  const show = viewOf(params.get('show'))
  const host = useChosenHost(hosts, you)
  const list = useCalls(show, you.zone, host?.id)
  const options = hostOptions(hosts)
  const filters: ListFilter[] = [
    { key: 'show', label: 'Show', usual: 'upcoming', options: Object.entries(views).map(([value, { label }]) => ({ value, label })) },
    ...(options.length > 2 ? [{ key: 'host', label: 'Calls of', usual: you.isActive ? you.id : 'all', options }] : []),
  ]
  return (
    <ListPage
      name="calls"
      caption={`Calls: ${views[show].label}`}
      one="call"
      many="calls"
      loading="Loading calls..."
      empty={{ title: views[show].none, text: views[show].hint }}
      nameOf={guestOf}
      filters={filters}
      columns={columnsOf(you.zone)}
      list={list}
      rows={list.data}
      opens={(call) => ({ act: () => open({ kind: 'call', call, among: list.data }) })}
      menuOf={(call) => menuOf(call, props)}
      renderNarrow={(call) => (
        <>
          <span>{momentText(call.startsAt, you.zone)}</span>
          {call.status !== 'booked' && <Status call={call} />}
        </>
      )}
    />
  )
}

function columnsOf(zone: string): TableColumn<StaffBooking>[] {
  return [
    { key: 'guest', head: 'Guest', view: guestOf },
    { key: 'when', head: 'When', width: '16rem', from: 'medium', view: (call) => <When call={call} zone={zone} /> },
    { key: 'company', head: 'Company', from: 'large', view: ({ company }) => company ?? '' },
    { key: 'host', head: 'Host', from: 'large', view: (call) => call.host?.name ?? 'Another calendar' },
    { key: 'status', head: 'Status', width: '8rem', from: 'medium', view: (call) => <Status call={call} /> },
  ]
}

function When({ call, zone }: { call: StaffBooking; zone: string }) {
  const day = momentText(call.startsAt, zone).replace(/, [^,]*$/, '')
  return (
    <time dateTime={call.startsAt}>
      {day} <span className="font-mono text-fine tabular-nums text-muted">{timesText(call, zone)}</span>
    </time>
  )
}

function Status({ call: { status, isVerified } }: { call: StaffBooking }) {
  const { word, look } = statusLooks[status]
  return isVerified ? <Badge look={look}>{word}</Badge> : <Badge look="grain">Unconfirmed</Badge>
}

function viewOf(asked: string | null): View {
  return asked === 'past' || asked === 'cancelled' ? asked : 'upcoming'
}

function useCalls(show: View, zone: string, hostId: string | undefined) {
  const today = clockAt(useNow(), zone).date
  const at = (days: number) => new Date(momentOnClock({ date: addDays(today, days), minutes: 0 }, zone))
  const range = show === 'upcoming' ? { from: at(0), to: at(366) } : { from: at(-DAYS), to: at(show === 'past' ? 1 : 366) }
  return useQuery({
    ...callsQuery({ ...range, hostId, cancelled: show === 'cancelled' }),
    select: (calls) => {
      if (show === 'upcoming') return calls
      const now = Date.now()
      const isIn = ({ status, endsAt }: StaffBooking) => (show === 'cancelled' ? status === 'cancelled' : Date.parse(endsAt) < now)
      return calls.filter(isIn).toReversed()
    },
  })
}

function menuOf(call: StaffBooking, { hosts, open }: CalendarProps): MenuEntry[] {
  const isBooked = call.status === 'booked' && call.host !== null
  const hasBegun = Date.parse(call.startsAt) <= Date.now()
  const elsewhere = call.host ? undefined : 'This call is in another calendar.'
  return [
    { label: 'Open', act: () => open({ kind: 'call', call }) },
    ...(isBooked && !hasBegun ? [{ label: 'Move', unavailable: elsewhere, act: () => open({ kind: 'move', call }) }] : []),
    ...(isBooked && hosts.length > 1 ? [{ label: 'Hand over', act: () => open({ kind: 'hand_over', call }) }] : []),
    ...(hasBegun && call.host && (isBooked || call.status === 'no_show')
      ? [{ label: 'Mark completed', act: () => open({ kind: 'settle', call, status: 'complete' }) }]
      : []),
    ...(hasBegun && call.host && (isBooked || call.status === 'completed')
      ? [{ label: 'Mark no-show', act: () => open({ kind: 'settle', call, status: 'no_show' }) }]
      : []),
    ...(isBooked ? [{ label: 'Cancel call', startsGroup: true, isDanger: true, act: () => open({ kind: 'cancel', call }) }] : []),
  ]
}
