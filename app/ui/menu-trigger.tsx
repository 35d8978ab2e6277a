import { DropdownMenu } from 'radix-ui'
import { useEffect, useRef } from 'react'
import { isLetter, type MenuPress, type MenuTriggerProps } from './menu-button.tsx'

/** The trigger of a menu whose code came after its button was pressed: the press is repeated. */
export function MenuTrigger({ press, ref, ...button }: MenuTriggerProps & { ref?: React.Ref<HTMLButtonElement> }) {
  const trigger = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    // The menu listens for keys a moment after its trigger appears.
    queueMicrotask(() => repeat(press, trigger.current))
  }, [press])
  return (
    <DropdownMenu.Trigger
      ref={(element) => {
        trigger.current = element
        if (typeof ref === 'function') ref(element)
      }}
      {...button}
    />
  )
}

function repeat({ key, letters }: MenuPress, trigger: HTMLButtonElement | null) {
  trigger?.focus()
  trigger?.dispatchEvent(key ? new KeyboardEvent('keydown', { key, bubbles: true }) : new PointerEvent('pointerdown', { bubbles: true }))
  if (key && trigger) handOver(trigger, letters)
}

/** Frames in which the list of an opened menu takes the focus. */
const MOST_FRAMES = 60

/** Letters that were typed before the list had the focus lead to an entry, as they do afterwards. */
function handOver(trigger: HTMLButtonElement, letters = '') {
  const collect = ({ key }: KeyboardEvent) => {
    if (isLetter(key)) letters += key
  }
  const check = (frame: number) => {
    const list = document.getElementById(trigger.getAttribute('aria-controls') ?? '')
    const isThere = list?.contains(document.activeElement)
    if (!isThere && frame < MOST_FRAMES) return void requestAnimationFrame(() => check(frame + 1))
    trigger.removeEventListener('keydown', collect)
    if (!isThere) return
    for (const key of letters) document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
  }
  trigger.addEventListener('keydown', collect)
  check(0)
}
