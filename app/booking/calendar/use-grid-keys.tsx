import { type RefObject, useState } from 'react'
import type { StaffBooking } from '#app/booking/rules/booking.ts'
import type { ClockTime } from './zoned-time.ts'

type Place = { date: string; from: number; until: number }

type GridKeysOptions = { first: number; last: number; onMove: (call: StaffBooking, to: ClockTime) => void }

/** In minutes; the other two keys move by a day. */
const STEP = 15
const steps: Record<string, { minutes?: number; days?: number }> = {
  ArrowUp: { minutes: -STEP },
  ArrowDown: { minutes: STEP },
  ArrowLeft: { days: -1 },
  ArrowRight: { days: 1 },
}

/** The arrow keys choose another time for the call with the focus. Enter asks to move it there, Escape forgets it. */
export function useGridKeys(grid: RefObject<HTMLElement | null>, { first, last, onMove }: GridKeysOptions) {
  const [chosen, setChosen] = useState<Place & { id: string }>()
  const forget = () => setChosen(undefined)
  const keysOf = (call: StaffBooking, place: Place) => ({
    onBlur: forget,
    onKeyDown(event: React.KeyboardEvent) {
      const step = steps[event.key]
      const now = chosen?.id === call.id ? chosen : undefined
      if (step) setChosen({ id: call.id, ...moved(now ?? place, step, { first, last, dates: datesIn(grid.current) }) })
      else if (now && event.key === 'Enter') onMove(call, { date: now.date, minutes: now.from })
      if (now && (event.key === 'Enter' || event.key === 'Escape')) forget()
      if (step || (now && event.key === 'Enter')) event.preventDefault()
    },
  })
  return { chosen, keysOf }
}

type Bounds = { first: number; last: number; dates: string[] }

function moved({ date, from, until }: Place, { minutes = 0, days = 0 }: { minutes?: number; days?: number }, bounds: Bounds): Place {
  const length = until - from
  const start = Math.min(Math.max(from + minutes, bounds.first * 60), bounds.last * 60 - length)
  return { date: bounds.dates[bounds.dates.indexOf(date) + days] ?? date, from: start, until: start + length }
}

function datesIn(grid: HTMLElement | null): string[] {
  return [...(grid?.querySelectorAll<HTMLElement>('[data-date]') ?? [])].map(({ dataset }) => dataset['date'] ?? '')
}
