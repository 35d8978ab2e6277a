import { useRef, useState } from 'react'

type Over = { id: string; isAfter: boolean }

export type Drag = ReturnType<typeof useDrag>

/** Rows are dragged by a handle, with a mouse, a pen or a finger. Escape leaves everything as it was. */
export function useDrag(move: (to: { id: string; before: string | null }) => void) {
  const [dragged, setDragged] = useState<string>()
  const [over, setOver] = useState<Over>()
  const latest = useRef<Over>(undefined)

  function end() {
    latest.current = undefined
    setDragged(undefined)
    setOver(undefined)
  }

  const handle = (id: string) => ({
    onPointerDown(event: React.PointerEvent<HTMLElement>) {
      if (event.button !== 0) return
      event.preventDefault()
      event.currentTarget.setPointerCapture(event.pointerId)
      setDragged(id)
    },
    onPointerMove({ clientX, clientY, currentTarget, pointerId }: React.PointerEvent<HTMLElement>) {
      if (!currentTarget.hasPointerCapture(pointerId)) return
      latest.current = rowAt(clientX, clientY)
      setOver(latest.current)
    },
    onPointerUp() {
      const to = latest.current
      end()
      if (to && to.id !== id) move({ id, before: to.isAfter ? nextOf(to.id) : to.id })
    },
    onPointerCancel: end,
  })
  return { dragged, over, handle }
}

function rowAt(x: number, y: number): Over | undefined {
  const row = document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-redirect]')
  if (!row?.dataset['redirect']) return undefined
  const { top, height } = row.getBoundingClientRect()
  return { id: row.dataset['redirect'], isAfter: y > top + height / 2 }
}

/** The one that is tried next: what is dropped below a row goes before it. A filter may hide it, so the row itself knows it. */
function nextOf(id: string): string | null {
  return document.querySelector<HTMLElement>(`[data-redirect="${CSS.escape(id)}"]`)?.dataset['next'] ?? null
}
