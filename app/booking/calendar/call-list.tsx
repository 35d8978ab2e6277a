import { useQuery } from '@tanstack/react-query'
import type { StaffBooking } from '#app/booking/rules/booking.ts'
import { DataTable } from '#app/ui/admin/data-table.tsx'
import type { MenuEntry } from '#app/ui/admin/open-menu.tsx'
import { type TableColumn, useTable } from '#app/ui/admin/use-table.ts'
import { useView } from '#app/ui/admin/use-view.tsx'
import { Badge } from '#app/ui/badge.tsx'
import { Empty } from '#app/ui/empty.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { Field } from '#app/ui/field.tsx'
import { Select } from '#app/ui/input.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { RowsSkeleton } from '#app/ui/skeleton.tsx'
import type { CalendarProps } from './calendar-dialog.ts'
import { guestOf, momentText, statusLooks, timesText } from './call-text.ts'
import { HostFilter, useChosenHost } from './host-filter.tsx'
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
  const { hosts, you } = props
  const { params, change } = useView()
  const show = viewOf(params.get('show'))
  const host = useChosenHost(hosts, you)
  const calls = useCalls(show, you.zone, host?.id)
  const table = useTable({ name: 'calls', columns: columnsOf(props), rows: calls.data ?? [] })
  return (
    <div className="grid grid-cols-1 gap-3">
      <div className="flex flex-wrap gap-x-6 gap-y-2">
        <Field label="Show" name="show" tool>
          <Select value={show} onChange={({ target }) => change({ show: target.value === 'upcoming' ? undefined : target.value })}>
            {Object.entries(views).map(([value, { label }]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
        </Field>
        <HostFilter hosts={hosts} you={you} />
      </div>
      {calls.isPending && (
        <div>
          <Loading>Loading calls...</Loading>
          <RowsSkeleton columns={5} />
        </div>
      )}
      {calls.isError && <Failed error={calls.error} retry={calls.refetch} />}
      {calls.data?.length === 0 && <Empty title={views[show].none}>{views[show].hint}</Empty>}
      {calls.data && calls.data.length > 0 && (
        <DataTable
          table={table}
          caption={`Calls: ${views[show].label}`}
          nameOf={guestOf}
          menuOf={(call) => menuOf(call, props)}
          renderNarrow={(call) => (
            <>
              <span>{momentText(call.startsAt, you.zone)}</span>
              {call.status !== 'booked' && <Status call={call} />}
            </>
          )}
        />
      )}
    </div>
  )
}

function columnsOf({ you: { zone }, open }: CalendarProps): TableColumn<StaffBooking>[] {
  return [
    {
      key: 'guest',
      head: 'Guest',
      view: (call) => (
        <button type="button" onClick={() => open({ kind: 'call', call })} className={rowButton}>
          {guestOf(call)}
        </button>
      ),
    },
    { key: 'when', head: 'When', width: '16rem', from: 'medium', view: (call) => <When call={call} zone={zone} /> },
    { key: 'company', head: 'Company', from: 'large', view: ({ company }) => company ?? '' },
    { key: 'host', head: 'Host', from: 'large', view: (call) => call.host?.name ?? 'Another calendar' },
    { key: 'status', head: 'Status', width: '8rem', from: 'medium', view: (call) => <Status call={call} /> },
  ]
}

/** Covers the row, as links of other tables do. */
const rowButton =
  'truncate text-left font-medium after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-grain-text'

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
