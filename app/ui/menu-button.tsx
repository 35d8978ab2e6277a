import { useId, useLayoutEffect, useEffectEvent, useRef, useState } from 'react'
import { type LaterCode, useLaterCode } from './later-code.tsx'
import { useIsLive } from './use-is-live.ts'

/** The props of the trigger of a loaded menu: its look, and the press that came before it was there. */
export type MenuTriggerProps = Pick<React.ComponentProps<'button'>, 'aria-label' | 'className' | 'children'> & { press: MenuPress }

/** The key that opened the menu, or none for a pointer; and the letters that were typed after it. */
export type MenuPress = { key?: string; letters?: string }

type MenuButtonProps<Module> = Pick<MenuTriggerProps, 'aria-label' | 'className'> & {
  code: LaterCode<Module>
  /** The content of the button. */
  face: React.ReactNode
  /** Draws the menu, which replaces this button. */
  children: (module: Module, trigger: MenuTriggerProps) => React.ReactNode
}

const openingKeys = new Set(['Enter', ' ', 'ArrowDown'])

/** The button of a menu. The menu's code is loaded when someone comes near; until it is there, this button stands in, and keeps the press. */
export function MenuButton<Module>({ code, face, children, ...button }: MenuButtonProps<Module>) {
  const { module, ask, isAsked, pending } = useLaterCode(code)
  const [press, setPress] = useState<MenuPress>({})
  const early = useEarlyPress(ask)
  if (module) return children(module, { ...button, children: face, press })
  const open = (event: React.SyntheticEvent, by: MenuPress) => {
    // As the menu itself does: the press must not move the focus away from it.
    event.preventDefault()
    setPress(by)
    if (!isAsked) ask()
  }
  return (
    <>
      <button
        {...button}
        type="button"
        popoverTarget={early?.id}
        aria-haspopup="menu"
        aria-expanded="false"
        aria-busy={isAsked || undefined}
        data-state="closed"
        onPointerEnter={code.warm}
        onFocus={code.warm}
        onPointerDown={(event) => event.button === 0 && !event.ctrlKey && open(event, {})}
        onKeyDown={(event) => {
          const { key } = event
          if (isAsked && isLetter(key)) setPress(({ letters = '', ...by }) => ({ ...by, letters: letters + key }))
          else if (openingKeys.has(key)) open(event, { key })
        }}
        onClick={(event) => open(event, {})}
      >
        {face}
      </button>
      {early && <span {...early} popover="auto" className="hidden" />}
      {pending}
    </>
  )
}

/** Whether a key leads to an entry of a menu. */
export const isLetter = (key: string) => key.length === 1 && key !== ' '

/**
 * The button of a page from the server is pressed before any script runs: it then opens this empty popover, as browsers do without script.
 * Once the page is live, an open popover is such a press. Undefined on a live page.
 */
function useEarlyPress(onPress: () => void) {
  const ref = useRef<HTMLSpanElement>(null)
  const id = useId()
  const isLive = useIsLive()
  const press = useEffectEvent(onPress)
  useLayoutEffect(() => {
    const popover = ref.current
    // Only an open popover has the event.
    popover?.addEventListener('beforetoggle', press, { once: true })
    popover?.hidePopover()
  }, [])
  return isLive ? undefined : { ref, id }
}
