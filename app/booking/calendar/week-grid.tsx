import { useRef } from 'react'
import type { StaffBooking } from '#app/booking/rules/booking.ts'
import { cx } from '#app/ui/class-names.ts'
import type { BusySpan, ListedHost } from './calendar.ts'
import type { CalendarProps } from './calendar-dialog.ts'
import { guestOf, statusLooks, timesText } from './call-text.ts'
import { type GridDrag, useGridDrag } from './use-grid-drag.tsx'
import { useNow } from './use-now.tsx'
import { type Laned, lanesOf, type Piece, piecesOf, shownHours } from './week.ts'
import { clockAt, clockText, dayText, minutesOf, dayOfWeek } from './zoned-time.ts'

export type WeekProps = CalendarProps & {
  /** One host's calls; without one, those of all. */
  host: ListedHost | undefined
  dates: readonly string[]
  today: string
  calls: readonly StaffBooking[]
  spans: readonly BusySpan[]
}

/** Height of an hour in the grid. A call of 20 minutes still has a line of text. */
const HOUR_REM = 3.75

/** Seven days beside each other. Calls are buttons that can be dragged, or moved with the arrow keys; empty time is dragged to block it. */
export function WeekGrid(props: WeekProps) {
  const { you, host, open, dates, calls, spans } = props
  const { zone } = you
  const hours = (host ?? you).hours
  const placed = { calls: piecesOf(calls, zone, dates), spans: piecesOf(spans, zone, dates) }
  const { first, last } = shownHours([...placed.calls, ...placed.spans.filter(isShort)], hours)
  const grid = useRef<HTMLDivElement>(null)
  const drag = useGridDrag(grid, {
    first,
    last,
    onMove: (call, to) => open({ kind: 'move', call, to }),
    onSelect: (date, from, until) => open({ kind: 'block', host: host ?? you, span: { date, from, until } }),
  })
  const rows = Array.from({ length: last - first }, (_, at) => first + at)
  const height = { height: `${(last - first) * HOUR_REM}rem` }
  return (
    <div ref={grid} className="grid grid-cols-[3rem_repeat(7,minmax(0,1fr))] rounded-card border border-line bg-surface">
      <DayHeads {...props} />
      <p role="status" className="sr-only">
        {drag.dragged &&
          drag.shown &&
          `${dayText(drag.shown.date, { weekday: 'long' })}, ${clockText(drag.shown.from)}. Enter moves the call.`}
      </p>
      <div aria-hidden="true" className="relative" style={height}>
        {rows.slice(1).map((hour) => (
          <span
            key={hour}
            className="absolute right-2 -translate-y-1/2 font-mono text-fine text-muted tabular-nums"
            style={{ top: `${(hour - first) * HOUR_REM}rem` }}
          >
            {clockText(hour * 60)}
          </span>
        ))}
      </div>
      {dates.map((date) => (
        <DayColumn
          key={date}
          {...props}
          {...{ date, first, last, drag, height }}
          dayCalls={lanesOf(placed.calls.filter((piece) => piece.date === date))}
          daySpans={placed.spans.filter((piece) => piece.date === date)}
        />
      ))}
    </div>
  )
}

/** A whole day that is blocked should not stretch the grid to 24 hours. */
function isShort({ from, until }: Piece<BusySpan>): boolean {
  return from > 0 && until < 24 * 60
}

function DayHeads({ dates, today }: WeekProps) {
  return (
    <>
      <span className="border-b border-line bg-sunken first:rounded-tl-[9px]" />
      {dates.map((date, at) => (
        <p
          key={date}
          aria-hidden="true"
          className={cx(
            'sticky top-(--bar) z-10 border-b border-l border-line bg-sunken px-2 py-1.5 text-fine text-muted',
            at === dates.length - 1 && 'rounded-tr-[9px]',
          )}
        >
          {dayText(date, { weekday: 'short' })}{' '}
          <span
            className={cx(
              'inline-grid min-w-5 place-items-center rounded-full px-1 font-mono tabular-nums',
              date === today ? 'bg-grain font-semibold text-on-grain' : 'text-ink',
            )}
          >
            {Number(date.slice(8))}
          </span>
        </p>
      ))}
    </>
  )
}

type ColumnProps = WeekProps & {
  date: string
  first: number
  last: number
  drag: GridDrag
  height: { height: string }
  dayCalls: Laned<StaffBooking>[]
  daySpans: Piece<BusySpan>[]
}

function DayColumn({ host, you, open, date, today, first, last, drag, height, dayCalls, daySpans }: ColumnProps) {
  const minutes = (last - first) * 60
  const place = (from: number, until: number) => {
    const [start, end] = [Math.max(from - first * 60, 0), Math.min(until - first * 60, minutes)]
    return { top: `${(start / minutes) * 100}%`, height: `${((end - start) / minutes) * 100}%` }
  }
  const openHours = (host ?? you).hours[dayOfWeek(date)] ?? []
  return (
    <section
      aria-label={dayText(date, { weekday: 'long', month: 'long', day: 'numeric' })}
      data-date={date}
      {...drag.background(date)}
      className="relative overflow-hidden border-l border-line bg-sunken last:rounded-br-[9px]"
      style={height}
    >
      {openHours.map(({ from, until }) => (
        <span
          key={from}
          aria-hidden="true"
          className="pointer-events-none absolute inset-x-0 bg-surface"
          style={place(minutesOf(from), minutesOf(until))}
        />
      ))}
      <HourLines first={first} last={last} />
      <ul>
        {daySpans.map((piece) => (
          <SpanMark key={piece.item.id} piece={piece} place={place(piece.from, piece.until)} open={open} />
        ))}
        {dayCalls.map((piece) => (
          <CallMark key={piece.item.id} piece={piece} place={place(piece.from, piece.until)} {...{ host, you, open, drag }} />
        ))}
      </ul>
      {drag.shown?.date === date && (
        <span
          aria-hidden="true"
          className="pointer-events-none absolute inset-x-0.5 z-20 rounded-control border-2 border-dashed border-grain-text bg-grain-wash/80 px-1.5 font-mono text-fine text-grain-text"
          style={place(drag.shown.from, drag.shown.until)}
        >
          {clockText(drag.shown.from)}
        </span>
      )}
      {date === today && <NowLine zone={you.zone} {...{ first, last, place }} />}
    </section>
  )
}

function HourLines({ first, last }: { first: number; last: number }) {
  return Array.from({ length: last - first - 1 }, (_, at) => (
    <span
      key={at}
      aria-hidden="true"
      className="pointer-events-none absolute inset-x-0 border-t border-line"
      style={{ top: `${((at + 1) / (last - first)) * 100}%` }}
    />
  ))
}

type NowLineProps = Pick<ColumnProps, 'first' | 'last'> & { zone: string; place: (from: number, until: number) => { top: string } }

/** None outside the hours that the grid shows. */
function NowLine({ zone, first, last, place }: NowLineProps) {
  const { minutes } = clockAt(useNow(), zone)
  if (minutes < first * 60 || minutes >= last * 60) return null
  return (
    <span
      aria-hidden="true"
      className="pointer-events-none absolute inset-x-0 z-10 border-t-2 border-alarm"
      style={{ top: place(minutes, minutes + 1).top }}
    />
  )
}

type Placed = { top: string; height: string }

function SpanMark({ piece: { item, from, until }, place, open }: { piece: Piece<BusySpan>; place: Placed; open: CalendarProps['open'] }) {
  const look = 'absolute inset-x-0 overflow-hidden border-y border-line bg-line/60 px-2 py-0.5 text-left text-fine text-muted'
  const times = `${clockText(from)}–${clockText(until)}`
  if (item.source === 'feed') {
    return (
      <li className={look} style={place}>
        Busy<span className="sr-only">, {times}</span>
      </li>
    )
  }
  return (
    <li>
      <button
        type="button"
        aria-label={`${item.reason ?? 'Blocked'}, ${times}`}
        onClick={() => open({ kind: 'unblock', span: item })}
        className={cx(look, 'flex items-start hover:bg-line focus-visible:-outline-offset-2')}
        style={place}
      >
        {item.reason ?? 'Blocked'}
      </button>
    </li>
  )
}

const callLooks = {
  booked: 'border-l-grain bg-grain-wash text-ink hover:border-grain-text',
  held: 'border-l-grain bg-grain-wash text-ink',
  completed: 'border-l-leaf bg-leaf-wash text-ink hover:border-leaf',
  no_show: 'border-l-alarm bg-alarm-wash text-ink hover:border-alarm',
  cancelled: 'border-l-alarm bg-alarm-wash text-muted line-through',
}

type CallMarkProps = Pick<WeekProps, 'host' | 'you' | 'open'> & { piece: Laned<StaffBooking>; place: Placed; drag: GridDrag }

function CallMark({ piece, place, host, you, open, drag }: CallMarkProps) {
  const { item: call, lane, lanes } = piece
  const times = timesText(call, you.zone)
  const owner = host ? undefined : (call.host?.name ?? 'In another calendar')
  return (
    <li>
      <button
        type="button"
        title={[times, guestOf(call), owner].filter(Boolean).join(' · ')}
        {...drag.handle(call, piece)}
        onClick={() => !drag.wasDragged() && open({ kind: 'call', call })}
        className={cx(
          'absolute z-1 grid content-start overflow-hidden rounded-control border border-l-3 border-line px-1.5 py-0.5 text-left text-fine leading-4 transition-colors focus-visible:z-10 focus-visible:outline-offset-0',
          callLooks[call.status],
          drag.dragged === call.id && 'opacity-50',
        )}
        style={{ ...place, left: `calc(${(lane / lanes) * 100}% + 2px)`, width: `calc(${100 / lanes}% - 4px)` }}
      >
        <span className="flex min-w-0 gap-x-1.5">
          <span className="font-mono tabular-nums max-lg:sr-only">
            {times.slice(0, 5)}
            <span className="sr-only">{times.slice(5)}</span>
          </span>
          <span className="min-w-0 truncate font-medium">{guestOf(call)}</span>
          {call.status !== 'booked' && <span className="sr-only">{statusLooks[call.status].word}</span>}
        </span>
        {owner && <span className="min-w-0 truncate text-muted">{owner}</span>}
      </button>
    </li>
  )
}
