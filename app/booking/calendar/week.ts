import { addDays, clockAt, minutesOf, dayOfWeek } from './zoned-time.ts'
import type { WeeklyHours } from '#app/platform/time/weekly-hours.ts'

const DAY_MINUTES = 24 * 60

/** A part of a span that is on one date: minutes of that date's clock. */
export type Piece<Item> = { item: Item; date: string; from: number; until: number }

/** A piece beside others of the same time: its place among `lanes` of equal width. */
export type Laned<Item> = Piece<Item> & { lane: number; lanes: number }

type Timed = { startsAt: string; endsAt: string }

export function mondayOf(date: string): string {
  return addDays(date, -dayOfWeek(date))
}

export function datesOfWeek(monday: string): string[] {
  return Array.from({ length: 7 }, (_, day) => addDays(monday, day))
}

/** Cuts spans at midnight, by the clock of a zone. */
export function piecesOf<Item extends Timed>(items: readonly Item[], zone: string, dates: readonly string[]): Piece<Item>[] {
  return items.flatMap((item) => {
    const start = clockAt(Date.parse(item.startsAt), zone)
    const end = clockAt(Date.parse(item.endsAt), zone)
    return dates.flatMap((date) => {
      if (date < start.date || date > end.date) return []
      const from = date === start.date ? start.minutes : 0
      const until = date === end.date ? end.minutes : DAY_MINUTES
      // In the hour that a clock repeats, an end can look earlier than its start.
      return until > from || start.date === end.date ? [{ item, date, from, until: Math.max(until, from + 1) }] : []
    })
  })
}

/** Places pieces of one date beside each other where they overlap. */
export function lanesOf<Item>(pieces: readonly Piece<Item>[]): Laned<Item>[] {
  const placed: Laned<Item>[] = []
  let group: Laned<Item>[] = []
  let end = -1
  const close = () => {
    const lanes = Math.max(0, ...group.map(({ lane }) => lane)) + 1
    placed.push(...group.map((piece) => ({ ...piece, lanes })))
    group = []
  }
  for (const piece of pieces.toSorted((one, other) => one.from - other.from || other.until - one.until)) {
    if (piece.from >= end) close()
    const taken = new Set(group.filter(({ until }) => until > piece.from).map(({ lane }) => lane))
    const lane = Array.from({ length: group.length + 1 }, (_, at) => at).find((at) => !taken.has(at)) ?? 0
    group.push({ ...piece, lane, lanes: 1 })
    end = Math.max(end, piece.until)
  }
  close()
  return placed
}

/** The hours that a grid shows: those of the host, of everything in it, and at least the middle of the day. */
export function shownHours(pieces: readonly Pick<Piece<unknown>, 'from' | 'until'>[], hours: WeeklyHours): { first: number; last: number } {
  const spans = [
    ...pieces,
    ...hours.flat().map(({ from, until }) => ({ from: minutesOf(from), until: minutesOf(until) })),
    { from: 9 * 60, until: 17 * 60 },
  ]
  // An hour more on both ends, so that nothing sticks to an edge.
  return {
    first: Math.max(0, Math.floor(Math.min(...spans.map(({ from }) => from)) / 60) - 1),
    last: Math.min(24, Math.ceil(Math.max(...spans.map(({ until }) => until)) / 60) + 1),
  }
}
