import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import type { StaffBooking } from '#app/booking/rules/booking.ts'
import { useGridKeys } from './use-grid-keys.tsx'
import type { ClockTime } from './zoned-time.ts'

type Shown = { date: string; from: number; until: number }

type DragOptions = {
  /** The hours of the grid. */
  first: number
  last: number
  onMove: (call: StaffBooking, to: ClockTime) => void
  onSelect: (date: string, from: number, until: number) => void
}

type Begun = { x: number; y: number; isMoving: boolean } & (
  | { call: StaffBooking; length: number; grip: number }
  | { call?: undefined; date: string; anchor: number }
)

export type GridDrag = ReturnType<typeof useGridDrag>

/** In minutes. */
const STEP = 15
/** In pixels: a click with a trembling hand moves nothing. */
const LEAST = 5
/** Milliseconds for which a finger rests before it drags; before that, it scrolls. */
const REST = 300

/**
 * Drags calls and selects empty time with a mouse, a pen or a finger that rests first; the arrow keys move a call. Nothing changes before a
 * dialog is confirmed. Escape cancels.
 */
export function useGridDrag(grid: RefObject<HTMLElement | null>, { first, last, onMove, onSelect }: DragOptions) {
  const [shown, setShown] = useState<Shown>()
  const [dragged, setDragged] = useState<string>()
  const begun = useRef<Begun>(undefined)
  const latest = useRef<Shown>(undefined)
  const ended = useRef(0)
  const rest = useRef<ReturnType<typeof setTimeout>>(undefined)
  const { chosen, keysOf } = useGridKeys(grid, { first, last, onMove })

  const end = useCallback(() => {
    clearTimeout(rest.current)
    if (begun.current?.isMoving) ended.current = performance.now()
    begun.current = undefined
    latest.current = undefined
    setShown(undefined)
    setDragged(undefined)
  }, [])

  useEffect(() => {
    const leave = ({ key }: KeyboardEvent) => key === 'Escape' && begun.current && end()
    // A page that has begun to scroll cannot be stopped, so this listens before a finger drags.
    const hold = (event: Event) => begun.current && event.preventDefault()
    const element = grid.current
    document.addEventListener('keydown', leave)
    element?.addEventListener('touchmove', hold, { passive: false })
    return () => {
      document.removeEventListener('keydown', leave)
      element?.removeEventListener('touchmove', hold)
      clearTimeout(rest.current)
    }
  }, [end, grid])

  const show = (next: Shown) => {
    latest.current = next
    setShown(next)
  }
  const begin = (event: React.PointerEvent<HTMLElement>, how: Begun) => {
    if (event.button !== 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    if (event.pointerType !== 'touch') begun.current = how
    else rest.current = setTimeout(() => (begun.current = how), REST)
  }
  const whileMoving = {
    onPointerMove({ clientX, clientY }: React.PointerEvent<HTMLElement>) {
      const now = begun.current
      if (!now || !grid.current) return
      if (!now.isMoving && Math.hypot(clientX - now.x, clientY - now.y) < LEAST) return
      now.isMoving = true
      const at = timeAt(grid.current, { x: clientX, y: clientY, first, last }, now.call ? undefined : now.date)
      if (!at) return
      if (!now.call) return show(selection(at, now.anchor))
      setDragged(now.call.id)
      const from = clamp(snap(at.minutes - now.grip), first * 60, last * 60 - now.length)
      show({ date: at.date, from, until: from + now.length })
    },
    onPointerUp() {
      const [now, to] = [begun.current, latest.current]
      end()
      if (!now?.isMoving || !to) return
      if (now.call) onMove(now.call, { date: to.date, minutes: to.from })
      else if (to.until - to.from >= STEP) onSelect(to.date, to.from, to.until)
    },
    onPointerCancel: end,
  }

  return {
    shown: shown ?? chosen,
    dragged: dragged ?? chosen?.id,
    /** The click after a drag is not one. */
    wasDragged: () => performance.now() - ended.current < 100,
    handle: (call: StaffBooking, { date, from, until }: Shown) =>
      call.status === 'booked' && call.host
        ? {
            ...whileMoving,
            ...keysOf(call, { date, from, until }),
            onPointerDown(event: React.PointerEvent<HTMLElement>) {
              event.stopPropagation()
              const { top, height } = event.currentTarget.getBoundingClientRect()
              const length = until - from
              const grip = ((event.clientY - top) / height) * length
              begin(event, { x: event.clientX, y: event.clientY, isMoving: false, call, length, grip })
            },
          }
        : {},
    background: (date: string) => ({
      ...whileMoving,
      onPointerDown(event: React.PointerEvent<HTMLElement>) {
        if (event.target !== event.currentTarget || !grid.current) return
        const at = timeAt(grid.current, { x: event.clientX, y: event.clientY, first, last }, date)
        if (at) begin(event, { x: event.clientX, y: event.clientY, isMoving: false, date, anchor: at.minutes })
      },
    }),
  }
}

function selection({ date, minutes }: ClockTime, anchor: number): Shown {
  const [from, until] = [Math.min(anchor, minutes), Math.max(anchor, minutes)]
  return { date, from: Math.floor(from / STEP) * STEP, until: Math.ceil(until / STEP) * STEP }
}

function snap(minutes: number): number {
  return Math.round(minutes / STEP) * STEP
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most)
}

type Point = { x: number; y: number; first: number; last: number }

/** The date and time under a point of the grid; of one column where the date is given. */
function timeAt(grid: HTMLElement, { x, y, first, last }: Point, date?: string): ClockTime | undefined {
  const columns = [...grid.querySelectorAll<HTMLElement>('[data-date]')]
  const column = columns.find((each) => {
    const { left, right } = each.getBoundingClientRect()
    return date === undefined ? x >= left && x < right : each.dataset['date'] === date
  })
  if (!column) return undefined
  const { top, height } = column.getBoundingClientRect()
  const minutes = first * 60 + clamp((y - top) / height, 0, 1) * (last - first) * 60
  return { date: column.dataset['date'] ?? '', minutes }
}
