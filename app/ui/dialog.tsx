import { XIcon } from 'lucide-react'
import { useLayoutEffect, useRef } from 'react'
import { cx } from './class-names.ts'
import { Toaster } from './toaster.tsx'

type DialogProps = {
  open: boolean
  /** Called for Escape, the close button, or a click on the backdrop. */
  onClose: () => void
  /** It stays open at Escape until `onClose` has it removed: for a question before unsaved changes are lost. */
  isKept?: boolean
  title: string
  /** A full-height panel on the right edge of the window. */
  side?: boolean
  /** Space for two columns. */
  wide?: boolean
  children: React.ReactNode
  /** Buttons in the footer; the last one is the main action. */
  actions?: React.ReactNode
}

/** A modal dialog in a live page. The browser keeps the focus inside and gives it back. */
export function Dialog({ open, ...rest }: DialogProps) {
  return open ? <OpenDialog {...rest} /> : null
}

function OpenDialog({ onClose, isKept = false, title, side = false, wide = false, children, actions }: Omit<DialogProps, 'open'>) {
  const dialog = useRef<HTMLDialogElement>(null)
  // Closed before it is removed from the page: only then the browser restores the focus.
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => {
      // A question inside of it first: while that is open, nothing outside can have the focus.
      for (const inner of element?.querySelectorAll('dialog') ?? []) inner.close()
      element?.close()
    }
  }, [])
  // A dialog inside of this one, such as a question, answers for itself: its events pass through here as well.
  const isOwn = ({ target, currentTarget }: React.SyntheticEvent) => target instanceof Element && target.closest('dialog') === currentTarget
  const keep = (event: React.SyntheticEvent) => {
    if (!isKept || event.defaultPrevented || !isOwn(event)) return
    event.preventDefault()
    onClose()
  }
  return (
    // A click on the backdrop lands on the element itself; Escape does the same by keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events
    <dialog
      ref={dialog}
      aria-label={title}
      onClose={(event) => event.target === event.currentTarget && onClose()}
      onCancel={(event) => event.target === event.currentTarget && keep(event)}
      onKeyDown={(event) => event.key === 'Escape' && keep(event)}
      onClick={(event) => event.target === event.currentTarget && onClose()}
      className={cx(
        'bg-surface text-ink',
        side
          ? 'ml-auto mr-0 my-0 h-dvh max-h-none w-[min(36rem,100vw)] max-w-none border-l border-line'
          : cx('m-auto rounded-card border border-line', wide ? 'w-[min(64rem,calc(100vw-2rem))]' : 'w-[min(32rem,calc(100vw-2rem))]'),
      )}
    >
      {/* Browsers keep a distance around a dialog: without it here, the buttons of a long one lie below its edge. */}
      <div className={cx('flex min-h-full flex-col', side ? 'max-h-dvh' : 'max-h-[calc(100dvh-2.5rem)]')}>
        <header className="flex items-start justify-between gap-4 px-6 pt-5">
          <h2 className="pt-1.5 text-h3">{title}</h2>
          <CloseButton onClick={onClose} />
        </header>
        <div className="grow scroll-pt-9 overflow-y-auto px-6 py-4">{children}</div>
        {actions && <footer className="flex flex-wrap justify-end gap-3 border-t border-line px-6 py-4">{actions}</footer>}
      </div>
      <Toaster inDialog />
    </dialog>
  )
}

function CloseButton({ onClick }: { onClick: () => void }) {
  return (
    <button
      type="button"
      aria-label="Close"
      onClick={onClick}
      className="-mr-2.5 grid size-11 shrink-0 place-items-center rounded-control text-muted hover:text-ink"
    >
      <XIcon className="size-4.5" />
    </button>
  )
}
