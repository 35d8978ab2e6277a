import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { zoneText } from '#app/booking/calendar/call-text.ts'
import { CALLS } from '#app/booking/calendar/use-calendar.tsx'
import { clockAt, clockText, dayText } from '#app/booking/calendar/zoned-time.ts'
import { freeTimes } from '#app/booking/rules/booking.ts'
import { apiQuery } from '#app/platform/browser/api.ts'
import { Button } from '#app/ui/button.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'

const DAYS_AHEAD = 60
const DAY = 24 * 3_600_000
const DAYS_SHOWN = 6

/** The free times of a host, or of everyone, for a call type from now on. */
export function useFreeTimes(asked: { hostId: string; callTypeId: string }) {
  const [now] = useState(() => Date.now())
  const given = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== ''))
  const range = { from: new Date(now).toISOString(), to: new Date(now + DAYS_AHEAD * DAY).toISOString() }
  return useQuery({
    ...apiQuery(`${CALLS}/slots?${new URLSearchParams({ ...range, ...given })}`, freeTimes),
    placeholderData: keepPreviousData,
  })
}

type FreeTimesProps = {
  free: ReturnType<typeof useFreeTimes>
  /** Of the reader. */
  zone: string
  chosen: readonly string[]
  most: number
  choose: (chosen: string[]) => void
}

/** The days with free times, a week of them at once, and the times of one day: few stops for the keyboard, and little height for a phone. */
export function FreeTimes({ free, ...props }: FreeTimesProps) {
  if (free.isPending)
    return (
      <>
        <Loading>Loading free times...</Loading>
        <Skeleton lines={6} />
      </>
    )
  if (free.isError && !free.data) return <Failed error={free.error} retry={free.refetch} />
  const days = [...Map.groupBy(free.data.slots, ({ startsAt }) => clockAt(Date.parse(startsAt), props.zone).date)]
  if (days.length === 0) return <p className="text-small">No time is free in the next {DAYS_AHEAD} days.</p>
  return <Days {...props} days={days} />
}

type Day = [date: string, slots: { startsAt: string }[]]

function Days({ days, zone, chosen, most, choose }: Omit<FreeTimesProps, 'free'> & { days: readonly Day[] }) {
  const [named, setNamed] = useState('')
  const at = Math.max(
    0,
    days.findIndex(([date]) => date === named),
  )
  const [date = '', slots = []] = days[at] ?? []
  const page = Math.floor(at / DAYS_SHOWN)
  const turn = (to: number) => setNamed(days[to * DAYS_SHOWN]?.[0] ?? '')
  const last = Math.floor((days.length - 1) / DAYS_SHOWN)
  return (
    <section aria-label="Free times" className="grid gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2 text-small">
        <p className="text-muted">Times are in {zoneText(zone)}.</p>
        <p className="flex gap-2">
          <Turn to={page - 1} last={last} turn={turn} label="Earlier days" none="These are the first free days." />
          <Turn to={page + 1} last={last} turn={turn} label="Later days" none="These are the last free days." />
        </p>
      </div>
      <div role="group" aria-label="Day" className="flex flex-wrap gap-1.5">
        {days.slice(page * DAYS_SHOWN, (page + 1) * DAYS_SHOWN).map(([each]) => (
          <Button
            key={each}
            type="button"
            size="small"
            look={each === date ? 'primary' : 'quiet'}
            aria-pressed={each === date}
            onClick={() => setNamed(each)}
          >
            {dayText(each)}
          </Button>
        ))}
      </div>
      <Times label={dayText(date)} slots={slots} zone={zone} chosen={chosen} most={most} choose={choose} />
    </section>
  )
}

type TimesProps = Omit<FreeTimesProps, 'free'> & { label: string; slots: Day[1] }

function Times({ label, slots, zone, chosen, most, choose }: TimesProps) {
  const press = (startsAt: string) =>
    choose(chosen.includes(startsAt) ? chosen.filter((each) => each !== startsAt) : [...(most === 1 ? [] : chosen), startsAt].toSorted())
  return (
    <div role="group" aria-label={label} className="grid grid-cols-[repeat(auto-fill,minmax(4.5rem,1fr))] gap-1.5">
      {slots.map(({ startsAt }) => {
        const isChosen = chosen.includes(startsAt)
        const isFull = !isChosen && most > 1 && chosen.length >= most
        return (
          <Button
            key={startsAt}
            type="button"
            size="small"
            look={isChosen ? 'primary' : 'quiet'}
            aria-pressed={isChosen}
            className="tabular-nums"
            onClick={() => press(startsAt)}
            {...(isFull && { unavailable: `Choose at most ${most} times.` })}
          >
            {clockText(clockAt(Date.parse(startsAt), zone).minutes)}
          </Button>
        )
      })}
    </div>
  )
}

type TurnProps = { to: number; last: number; turn: (page: number) => void; label: string; none: string }

function Turn({ to, last, turn, label, none }: TurnProps) {
  return (
    <Button type="button" look="quiet" size="small" onClick={() => turn(to)} {...((to < 0 || to > last) && { unavailable: none })}>
      {label}
    </Button>
  )
}
