import { useRevalidator } from 'react-router'
import { apiRequest } from '#app/platform/browser/api.ts'
import { longDay } from '#app/platform/time/english-date.ts'
import { ActionButton } from '#app/ui/admin/action-button.tsx'
import type { ButtonProps } from '#app/ui/button.tsx'

/** Shown on every page while a deletion is pending. */
export function DeletionNotice({ dueAt }: { dueAt: string }) {
  return (
    <section aria-label="Deletion of your account" className="border-b border-line bg-alarm-wash">
      <div className="wrap flex flex-wrap items-center gap-x-4 gap-y-1 py-2 text-small">
        <p>
          Your account will be deleted on <time dateTime={dueAt}>{longDay(new Date(dueAt))}</time>.
        </p>
        <KeepAccount size="small" />
      </div>
    </section>
  )
}

/** Cancels the deletion and refreshes the page. */
export function KeepAccount(look: Pick<ButtonProps, 'look' | 'size'>) {
  const { revalidate } = useRevalidator()
  const action = {
    send: async () => apiRequest('DELETE', '/api/account/deletion'),
    done: () => ({ title: 'Deletion canceled', description: 'Your account stays active.' }),
    failed: 'Deletion not canceled',
    touches: ['/api/account'],
    onDone: revalidate,
  }
  return (
    <ActionButton {...look} action={action} pending="Keeping...">
      Keep my account
    </ActionButton>
  )
}
