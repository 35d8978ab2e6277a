import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useRevalidator } from 'react-router'
import type { Failure } from '#app/auth-client/auth.ts'
import { orThrow } from '#app/auth-client/session-over.ts'
import { useRefreshAccount } from '#app/own-account/account-state.tsx'
import { tellFailure } from '#app/own-account/tell-failure.ts'
import { Button } from '#app/ui/button.tsx'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import { toast } from '#app/ui/toast.ts'

type RemovalProps = {
  name: string
  remove: () => Promise<{ failure?: Failure }>
  /** What is told once it is gone. */
  done: string
  /** What follows from a yes. */
  children: string
}

/** Takes away something by which one signs in, after asking. */
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
    onError: tellFailure('Not removed'),
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
