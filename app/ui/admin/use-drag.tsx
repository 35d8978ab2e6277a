import { useCallback, useEffect, useRef, useState } from 'react'

type Over = { id: string; isAfter: boolean }

export type Drag = ReturnType<typeof useDrag>

/** Within this distance of the window's edge, in pixels, the page scrolls, by `STEP` at a time. */
const EDGE = 90
const STEP = 18

/** Drags rows by a handle, with a mouse, a pen or a finger. Escape cancels. */
export function useDrag(move: (to: { id: string; before: string | null }) => void) {
  const [dragged, setDragged] = useState<string>()
  const [over, setOver] = useState<Over>()
  const latest = useRef<{ id: string; over?: Over | undefined }>(undefined)

  const end = useCallback(() => {
    latest.current = undefined
    setDragged(undefined)
    setOver(undefined)
  }, [])

  useEffect(() => {
    if (!dragged) return undefined
    const leave = ({ key }: KeyboardEvent) => key === 'Escape' && end()
    document.addEventListener('keydown', leave)
    return () => document.removeEventListener('keydown', leave)
  }, [dragged, end])

  const handle = (id: string) => ({
    onPointerDown(event: React.PointerEvent<HTMLElement>) {
      if (event.button !== 0) return
      event.preventDefault()
      event.currentTarget.setPointerCapture(event.pointerId)
      latest.current = { id }
      setDragged(id)
    },
    onPointerMove({ clientX, clientY }: React.PointerEvent<HTMLElement>) {
      if (latest.current?.id !== id) return
      scrollNear(clientY)
      latest.current.over = rowAt(clientX, clientY)
      setOver(latest.current.over)
    },
    onPointerUp() {
      const to = latest.current?.over
      end()
      if (to && to.id !== id) move({ id, before: to.isAfter ? nextOf(to.id) : to.id })
    },
    onPointerCancel: end,
  })
  return { dragged, over, handle }
}

function scrollNear(y: number) {
  if (y < EDGE) window.scrollBy(0, -STEP)
  else if (y > window.innerHeight - EDGE) window.scrollBy(0, STEP)
}

function rowAt(x: number, y: number): Over | undefined {
  const row = document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-row]')
  if (!row?.dataset['row']) return undefined
  const { top, height } = row.getBoundingClientRect()
  return { id: row.dataset['row'], isAfter: y > top + height / 2 }
}

/** The next item: a row dropped below another one goes before this one. A filter may hide it, so the row itself names it. */
function nextOf(id: string): string | null {
  return document.querySelector<HTMLElement>(`[data-row="${CSS.escape(id)}"]`)?.dataset['next'] ?? null
}
