import { DropdownMenu } from 'radix-ui'
import { useEffect, useRef } from 'react'
import type { MenuPress, MenuTriggerProps } from './menu-button.tsx'

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

function repeat({ key }: MenuPress, trigger: HTMLButtonElement | null) {
  trigger?.focus()
  trigger?.dispatchEvent(key ? new KeyboardEvent('keydown', { key, bubbles: true }) : new PointerEvent('pointerdown', { bubbles: true }))
}
