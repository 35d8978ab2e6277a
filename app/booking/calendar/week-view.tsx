import { keepPreviousData } from '@tanstack/react-query'
import { ChevronLeftIcon, ChevronRightIcon } from 'lucide-react'
import { Link } from 'react-router'
import { usePageQuery } from '#app/platform/browser/use-page-query.ts'
import { isDay } from '#app/platform/time/iso-moment.ts'
import { useView } from '#app/ui/admin/use-view.tsx'
import { withChanges } from '#app/ui/admin/view.ts'
import { Failed } from '#app/ui/failed.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { RowsSkeleton } from '#app/ui/skeleton.tsx'
import type { CalendarProps } from './calendar-dialog.ts'
import { zoneText } from './call-text.ts'
import { HostFilter, useChosenHost } from './host-filter.tsx'
import { callsQuery, useBusy } from './use-calendar.tsx'
import { useNow } from './use-now.tsx'
import { datesOfWeek, mondayOf } from './week.ts'
import { WeekAgenda } from './week-agenda.tsx'
import { WeekGrid } from './week-grid.tsx'
import { addDays, clockAt, dayText, momentOnClock } from './zoned-time.ts'

/** The calls of one week: a grid to drag in, and on a narrow screen a list by day. */
export function WeekView({ hosts, you, open }: CalendarProps) {
  const { params } = useView()
  const { zone } = you
  const today = clockAt(useNow(), zone).date
  const asked = params.get('week') ?? ''
  const monday = mondayOf(isDay(asked) ? asked : today)
  const dates = datesOfWeek(monday)
  const startOf = (date: string) => new Date(momentOnClock({ date, minutes: 0 }, zone))
  const host = useChosenHost(hosts, you)
  const range = { from: startOf(monday), to: startOf(addDays(monday, 7)) }
  const calls = usePageQuery({ ...callsQuery({ ...range, hostId: host?.id }), placeholderData: keepPreviousData })
  const busy = useBusy(range.from, range.to)
  // Spans of several people on one grid would say of no one when they are free.
  const spans = host ? (busy.data ?? []).filter(({ hostId }) => hostId === host.id) : []
  const week = { hosts, you, host, open, dates, today, calls: calls.data ?? [], spans }
  return (
    <div className="grid grid-cols-1 gap-3">
      <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
        <WeekSteps monday={monday} today={today} />
        <div className="ml-auto">
          <HostFilter hosts={hosts} you={you} />
        </div>
      </div>
      {calls.isPending && (
        <div>
          <Loading>Loading calls...</Loading>
          <RowsSkeleton columns={7} />
        </div>
      )}
      {calls.isError && <Failed error={calls.error} retry={calls.refetch} />}
      {calls.data && (
        <div aria-busy={calls.isPlaceholderData || undefined} className={calls.isPlaceholderData ? 'opacity-60' : undefined}>
          <div className="max-md:hidden">
            <WeekGrid {...week} />
          </div>
          <div className="md:hidden">
            <WeekAgenda {...week} />
          </div>
          <p className="mt-2 text-fine text-muted">
            Times in {zoneText(zone)}.
            <span className="max-md:hidden">
              {' '}
              Drag a call to another time, or move it with the arrow keys and Enter. Drag an empty span to block it.
            </span>
          </p>
        </div>
      )}
    </div>
  )
}

function WeekSteps({ monday, today }: { monday: string; today: string }) {
  const sunday = addDays(monday, 6)
  const title = `${dayText(monday, { month: 'short', day: 'numeric' })} – ${dayText(sunday, { month: 'short', day: 'numeric', year: 'numeric' })}`
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Step to={addDays(monday, -7)} label="Previous week">
        <ChevronLeftIcon aria-hidden="true" className="size-4" />
      </Step>
      <Step to={mondayOf(today)} isWide>
        Today
      </Step>
      <Step to={addDays(monday, 7)} label="Next week">
        <ChevronRightIcon aria-hidden="true" className="size-4" />
      </Step>
      <h2 aria-live="polite" className="ml-2 text-h3">
        {title}
      </h2>
    </div>
  )
}

function Step({ to, label, isWide = false, children }: { to: string; label?: string; isWide?: boolean; children: React.ReactNode }) {
  const { params } = useView()
  return (
    <Link
      to={withChanges(params, { week: to })}
      preventScrollReset
      aria-label={label}
      className={`grid min-h-(--control) place-items-center rounded-control border border-edge bg-surface text-small font-semibold hover:border-ink ${isWide ? 'px-3' : 'w-(--control)'}`}
    >
      {children}
    </Link>
  )
}
