import type { KeyboardEvent } from 'react'

/** Moves the focus within a toolbar by arrow keys, Home and End. */
export function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const buttons = [...event.currentTarget.querySelectorAll('button')]
  const at = buttons.findIndex((button) => button === document.activeElement)
  const next = { ArrowLeft: at - 1, ArrowRight: at + 1, ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: buttons.length - 1 }[event.key]
  if (at < 0 || next === undefined) return
  event.preventDefault()
  buttons.at(Math.min(Math.max(next, 0), buttons.length - 1))?.focus()
}
