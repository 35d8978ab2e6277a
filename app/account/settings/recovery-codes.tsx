import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { z } from 'zod/mini'
import { useRefreshAccount } from './account-state.tsx'
import { formatLongDay } from '#app/ui/moment.ts'
import { showAccountFailure } from './tell-failure.ts'
import { apiQuery } from '#app/platform/browser/api.ts'
import { Button } from '#app/ui/button.tsx'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { CodeDialog } from './code-dialog.tsx'
import { requestRecoveryCodes, RECOVERY_CODES } from './make-recovery-codes.ts'

const stored = z.object({ count: z.number(), madeAt: z.nullable(z.string()) })

/** The count of valid recovery codes, and a button that replaces them. */
export function RecoveryCodes() {
  const kept = useQuery(apiQuery(RECOVERY_CODES, stored))
  const [asking, setAsking] = useState(false)
  const make = useNewCodes(() => setAsking(false))
  return (
    <div className="grid gap-3 border-t border-line pt-5">
      <h3 className="text-body">Recovery codes</h3>
      {kept.isPending && <Loading>Counting your codes...</Loading>}
      {kept.isError && <Failed error={kept.error} retry={kept.refetch} />}
      {kept.data && <p className="text-small text-muted">{sentenceOf(kept.data)}</p>}
      <Button
        type="button"
        look="quiet"
        className="justify-self-start"
        busy={make.isPending}
        onClick={() => (kept.data?.count ? setAsking(true) : make.mutate())}
      >
        {make.isPending ? 'Creating...' : 'Create new codes'}
      </Button>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        onConfirm={() => make.mutate()}
        title="Create new codes?"
        confirm={make.isPending ? 'Creating...' : 'Create new codes'}
        look="primary"
        busy={make.isPending}
      >
        <p>Your current codes will stop working.</p>
      </ConfirmDialog>
      {make.data && <CodeDialog codes={make.data} close={make.reset} />}
    </div>
  )
}

function sentenceOf({ count, madeAt }: z.infer<typeof stored>): string {
  if (count === 0 || !madeAt) return 'You have no codes. If you lose your phone, you’ll be locked out.'
  return `${count === 1 ? 'One code is' : `${count} codes are`} left. Created on ${formatLongDay(madeAt)}.`
}

function useNewCodes(done: () => void) {
  const refresh = useRefreshAccount()
  return useMutation({
    mutationFn: requestRecoveryCodes,
    async onSuccess() {
      done()
      await refresh()
    },
    onError: showAccountFailure('Codes not created'),
  })
}
