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
        className="grid size-11 shrink-0 [anchor-name:--bell] place-items-center rounded-control text-muted transition-colors hover:text-ink"
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
        className="fixed inset-auto m-2 max-h-96 w-80 max-w-[calc(100vw-2rem)] overflow-y-auto rounded-card border border-line bg-surface text-ink [position-anchor:--bell] [position-area:bottom_span-left] [position-try-fallbacks:flip-block,flip-inline,flip-block_flip-inline] not-supports-[position-area:bottom]:top-[4.5rem] not-supports-[position-area:bottom]:right-4"
      >
        <ToastHistory />
      </div>
    </>
  )
}
