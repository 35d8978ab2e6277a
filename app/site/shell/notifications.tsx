import { ToastHistory } from '#app/ui/toast-history.tsx'
import { shell } from '#app/content/shell.ts'

const ID = 'notifications'

/** The recent toasts, for people who missed one. */
export function Notifications() {
  return (
    <>
      <button
        type="button"
        popoverTarget={ID}
        aria-label={shell.notifications}
        className="grid size-11 place-items-center rounded-control text-muted transition-colors hover:text-ink"
      >
        <svg
          viewBox="0 0 20 20"
          aria-hidden="true"
          className="size-5 fill-none stroke-current stroke-[1.5] [stroke-linecap:round] [stroke-linejoin:round]"
        >
          <path d="M4.5 14V8.5a5.5 5.5 0 0 1 11 0V14l1.5 1.5H3L4.5 14ZM8.25 18h3.5" />
        </svg>
      </button>
      <div
        id={ID}
        popover="auto"
        role="dialog"
        aria-label={shell.notifications}
        className="fixed inset-auto top-[4.5rem] right-4 m-0 max-h-96 w-80 max-w-[calc(100vw-2rem)] overflow-y-auto rounded-card border border-line bg-surface text-ink sm:right-10"
      >
        <ToastHistory />
      </div>
    </>
  )
}
