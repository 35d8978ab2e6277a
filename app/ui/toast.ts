/** The display time of a toast, in milliseconds. It pauses while the toast is hovered or has the focus. */
export const SHOWN_FOR = 5_000
/** A toast with a button is shown for longer: there must be time to see the mistake. */
const SHOWN_WITH_BUTTON = 10_000
/** How long a dismissed toast stays in the history, in milliseconds. */
export const KEPT_FOR = 1_000_000

export type Toast = {
  title: string
  description?: string
  look?: 'plain' | 'danger'
  /** One thing to do about it, such as `UndoButton`. */
  button?: React.ReactNode
}
export type ToastEntry = Toast & { id: number; open: boolean; at: number }

let entries: readonly ToastEntry[] = []
let lastId = 0
let countdown: { timer: ReturnType<typeof setTimeout>; endsAt: number } | undefined
let timeLeft = SHOWN_FOR
const listeners = new Set<() => void>()

/** Shows a short message, and returns its id. Only one is shown: a new one replaces the last, which moves to the history. */
export function toast(message: Toast): number {
  dismissToast()
  lastId += 1
  update([{ ...message, id: lastId, open: true, at: Date.now() }, ...entries])
  timeLeft = message.button ? SHOWN_WITH_BUTTON : SHOWN_FOR
  resumeToast()
  return lastId
}

/** Dismisses the current toast, if there is one, and keeps it in the history for a while. */
export function dismissToast(): void {
  pauseToast()
  const shown = entries.find((entry) => entry.open)
  if (!shown) return
  update(entries.map((entry) => (entry === shown ? { ...entry, open: false } : entry)))
  setTimeout(() => update(entries.filter((entry) => entry.id !== shown.id)), KEPT_FOR)
}

/** Dismisses a toast if it is still shown, such as one whose button no longer has anything to act on. */
export function endToast(id: number): void {
  if (entries.some((entry) => entry.open && entry.id === id)) dismissToast()
}

/** Pauses the timer of the current toast. */
export function pauseToast(): void {
  if (!countdown) return
  clearTimeout(countdown.timer)
  timeLeft = Math.max(0, countdown.endsAt - Date.now())
  countdown = undefined
}

/** Resumes the timer with the remaining time. */
export function resumeToast(): void {
  if (countdown || !entries.some((entry) => entry.open)) return
  countdown = { timer: setTimeout(dismissToast, timeLeft), endsAt: Date.now() + timeLeft }
}

/** All current and remembered toasts, newest first. The same array until something changes. */
export function listToasts(): readonly ToastEntry[] {
  return entries
}

export function subscribeToToasts(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function update(next: readonly ToastEntry[]) {
  entries = next
  for (const listener of listeners) listener()
}
