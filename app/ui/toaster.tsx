import { useEffect, useRef, useSyncExternalStore } from 'react'
import { cx } from './class-names.ts'
import { dismissToast, listToasts, pauseToast, resumeToast, subscribeToToasts, type ToastEntry } from './toast.ts'

const none: readonly ToastEntry[] = []

/** All toasts of this document, newest first. Empty on the server. */
export function useToasts(): readonly ToastEntry[] {
  return useSyncExternalStore(subscribeToToasts, listToasts, () => none)
}

/**
 * The place where toasts appear. A live page has one in its root; an island that shows toasts brings its own. With several in a document,
 * the first to mount shows them. An open dialog shows them itself, because everything behind it is inert.
 */
export function Toaster({ inDialog = false }: { inDialog?: boolean }) {
  const shown = useToasts().find((entry) => entry.open)
  const mine = useTurn(inDialog) ? shown : undefined
  const urgent = mine?.look === 'danger'
  return (
    // Hovering over a message, or having the focus in it, is not an action: it pauses the timer.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section
      aria-label="Notifications"
      onPointerEnter={pauseToast}
      onPointerLeave={resumeToast}
      onFocus={pauseToast}
      onBlur={resumeToast}
      onKeyDown={(event) => event.key === 'Escape' && dismissToast()}
      className={cx(
        'pointer-events-none fixed inset-x-4 z-50 grid items-end sm:left-auto sm:w-96',
        // Above the buttons in the dialog's footer, and above their tooltips; above the buttons of a form that stay at the bottom. On a narrow
        // screen a short dialog has its buttons anywhere below its middle.
        inDialog
          ? 'top-4 sm:top-auto sm:bottom-28'
          : 'bottom-4 [:root:has([data-action-bar])_&]:bottom-20 max-sm:[:root:has([data-action-bar])_&]:bottom-36',
      )}
    >
      {/* Both are always rendered: a live region that is added together with its text is not read out. */}
      <div role="status" className="[grid-area:1/1]">
        {mine && !urgent && <Message key={mine.id} entry={mine} />}
      </div>
      <div role="alert" className="[grid-area:1/1]">
        {mine && urgent && <Message key={mine.id} entry={mine} />}
      </div>
    </section>
  )
}

function Message({ entry }: { entry: ToastEntry }) {
  const danger = entry.look === 'danger'
  return (
    <div
      data-toast={entry.id}
      className={cx(
        'toast-in pointer-events-auto flex items-start gap-3 rounded-card border bg-surface py-3.5 pr-2 pl-4',
        danger ? 'border-alarm' : 'border-edge',
      )}
    >
      <span className={cx('mt-2.5 size-2 shrink-0 rounded-full', danger ? 'bg-alarm' : 'bg-leaf')} />
      <div className="grow py-0.5">
        <p className="text-small font-semibold">{entry.title}</p>
        {entry.description && <p className="text-small text-muted">{entry.description}</p>}
      </div>
      {entry.button}
      <button
        type="button"
        aria-label="Dismiss"
        onClick={dismissToast}
        className="-my-2 grid size-11 shrink-0 place-items-center rounded-control text-muted hover:text-ink focus-visible:-outline-offset-4"
      >
        <svg viewBox="0 0 16 16" aria-hidden="true" className="size-3.5">
          <path d="m3 3 10 10M13 3 3 13" stroke="currentColor" strokeWidth="1.75" strokeLinecap="round" />
        </svg>
      </button>
    </div>
  )
}

/** The mounted toasters; the first one shows the toasts. */
let awake: readonly object[] = []
const waiting = new Set<() => void>()

function wake(next: readonly object[]) {
  awake = next
  for (const look of waiting) look()
}

function useTurn(inDialog: boolean): boolean {
  const me = useRef({})
  const first = useSyncExternalStore(
    (look) => {
      waiting.add(look)
      return () => waiting.delete(look)
    },
    () => awake[0] === me.current,
    () => false,
  )
  useEffect(() => {
    const self = me.current
    wake(inDialog ? [self, ...awake] : [...awake, self])
    return () => wake(awake.filter((other) => other !== self))
  }, [inDialog])
  return first
}
