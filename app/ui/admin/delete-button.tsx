import { useMutation } from '@tanstack/react-query'
import { Trash2Icon } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Button } from '#app/ui/button.tsx'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'

type DeleteButtonProps = {
  /** Its name in the list. */
  name: string
  question: string
  remove: () => Promise<unknown>
  onDeleted: () => Promise<unknown>
  onFailure: (error: Error) => void
  /** The classes of a button that shows only its icon, for a dense row. */
  icon?: string
  /** The item, and the consequences of deleting it. */
  children: ReactNode
}

/** Deletes one item of a list, after a confirmation. */
export function DeleteButton({ name, question, remove, onDeleted, onFailure, icon, children }: DeleteButtonProps) {
  const [asking, setAsking] = useState(false)
  const removal = useMutation({
    mutationFn: remove,
    async onSuccess() {
      setAsking(false)
      await onDeleted()
    },
    onError(error) {
      setAsking(false)
      onFailure(error)
    },
  })
  return (
    <>
      {icon ? (
        <button type="button" aria-label={`Delete ${name}`} title="Delete" onClick={() => setAsking(true)} className={icon}>
          <Trash2Icon aria-hidden="true" />
        </button>
      ) : (
        <Button type="button" look="quiet" size="small" aria-label={`Delete ${name}`} onClick={() => setAsking(true)}>
          Delete
        </Button>
      )}
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        onConfirm={() => removal.mutate()}
        title={question}
        confirm={removal.isPending ? 'Deleting...' : 'Delete'}
        busy={removal.isPending}
      >
        {children}
      </ConfirmDialog>
    </>
  )
}
