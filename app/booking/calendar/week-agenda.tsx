import { Badge } from '#app/ui/badge.tsx'
import { Empty } from '#app/ui/empty.tsx'
import { guestOf, statusLooks, timesText } from './call-text.ts'
import { piecesOf } from './week.ts'
import type { WeekProps } from './week-grid.tsx'
import { clockText, dayText } from './zoned-time.ts'

/** The week as a list by day, for narrow screens. */
export function WeekAgenda({ you: { zone }, host, open, dates, today, calls, spans }: WeekProps) {
  const days = dates
    .map((date) => ({ date, calls: piecesOf(calls, zone, [date]), spans: piecesOf(spans, zone, [date]) }))
    .filter((day) => day.calls.length + day.spans.length > 0)
  if (days.length === 0) return <Empty title="No calls this week">Calls that visitors book in this week appear here.</Empty>
  return (
    <div className="grid gap-4">
      {days.map((day) => (
        <section key={day.date} aria-label={dayText(day.date)} className="grid gap-1.5">
          <h3 className="flex items-baseline gap-2 font-sans text-small font-semibold tracking-normal">
            {dayText(day.date)}
            {day.date === today && <span className="text-fine font-normal text-grain-text">Today</span>}
          </h3>
          <ul className="divide-y divide-line rounded-card border border-line bg-surface">
            {day.calls.map(({ item: call }) => (
              <li key={call.id}>
                <button type="button" onClick={() => open({ kind: 'call', call })} className={row}>
                  <time dateTime={call.startsAt} className={time}>
                    {timesText(call, zone)}
                  </time>
                  <span className="min-w-0 grow truncate font-medium">{guestOf(call)}</span>
                  {!host && <span className="truncate text-fine text-muted">{call.host?.name ?? 'Elsewhere'}</span>}
                  {call.status !== 'booked' && <Badge look={statusLooks[call.status].look}>{statusLooks[call.status].word}</Badge>}
                </button>
              </li>
            ))}
            {day.spans.map(({ item: span, from, until }) => (
              <li key={span.id}>
                {span.source === 'block' ? (
                  <button type="button" onClick={() => open({ kind: 'unblock', span })} className={row}>
                    <span className={time}>
                      {clockText(from)}–{clockText(until)}
                    </span>
                    <span className="truncate text-muted">{span.reason ?? 'Blocked'}</span>
                  </button>
                ) : (
                  <p className={row}>
                    <span className={time}>
                      {clockText(from)}–{clockText(until)}
                    </span>
                    <span className="text-muted">Busy</span>
                  </p>
                )}
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

const row = 'flex min-h-11 w-full items-center gap-3 px-3 py-1.5 text-left text-small'
const time = 'shrink-0 font-mono text-fine tabular-nums text-muted'
