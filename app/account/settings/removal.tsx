import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useRevalidator } from 'react-router'
import type { Failure } from '#app/account/session/auth.ts'
import { orThrow } from '#app/account/session/session-over.ts'
import { useRefreshAccount } from './account-state.tsx'
import { showAccountFailure } from './tell-failure.ts'
import { Button } from '#app/ui/button.tsx'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import { toast } from '#app/ui/toast.ts'

type RemovalProps = {
  name: string
  remove: () => Promise<{ failure?: Failure }>
  /** The toast after the removal. */
  done: string
  /** The consequences of confirming. */
  children: string
}

/** Removes a sign-in method, after a confirmation. */
export function Removal({ name, remove, done, children }: RemovalProps) {
  const [asking, setAsking] = useState(false)
  const refresh = useRefreshAccount()
  const { revalidate } = useRevalidator()
  const removal = useMutation({
    mutationFn: () => orThrow(remove()),
    async onSuccess() {
      setAsking(false)
      toast({ title: done })
      await Promise.all([refresh(), revalidate()])
    },
    onError: showAccountFailure('Not removed'),
  })
  return (
    <>
      <Button type="button" look="quiet" size="small" aria-label={`Remove ${name}`} onClick={() => setAsking(true)}>
        Remove
      </Button>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        onConfirm={() => removal.mutate()}
        title={`Remove ${name}?`}
        confirm={removal.isPending ? 'Removing...' : 'Remove'}
        busy={removal.isPending}
      >
        <p>{children}</p>
      </ConfirmDialog>
    </>
  )
}
