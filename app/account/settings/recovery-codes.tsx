import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { z } from 'zod/mini'
import { ACCOUNT } from './account.ts'
import { formatLongDay } from '#app/ui/moment.ts'
import { apiQuery, apiRequest } from '#app/platform/browser/api.ts'
import { ActionButton, QuestionButton } from '#app/ui/admin/action-button.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { CodeDialog } from './code-dialog.tsx'

const stored = z.object({ count: z.number(), madeAt: z.nullable(z.string()) })

/** The count of valid recovery codes, and a button that replaces them. */
export function RecoveryCodes() {
  const kept = useQuery(apiQuery(RECOVERY_CODES, stored))
  const [codes, setCodes] = useState<string[]>()
  const action = { send: requestRecoveryCodes, failed: 'Codes not created', touches: [ACCOUNT], onDone: setCodes }
  const pending = 'Creating...'
  return (
    <div className="grid gap-3 border-t border-line pt-5">
      <h3 className="text-body">Recovery codes</h3>
      {kept.isPending && <Loading>Counting your codes...</Loading>}
      {kept.isError && <Failed error={kept.error} retry={kept.refetch} />}
      {kept.data && <p className="text-small text-muted">{sentenceOf(kept.data)}</p>}
      <div>
        {kept.data?.count ? (
          <QuestionButton
            action={action}
            label="Create new codes"
            question="Create new codes?"
            confirm="Create new codes"
            confirmLook="primary"
            pending={pending}
          >
            <p>Your current codes will stop working.</p>
          </QuestionButton>
        ) : (
          <ActionButton action={action} pending={pending}>
            Create new codes
          </ActionButton>
        )}
      </div>
      {codes && <CodeDialog codes={codes} close={() => setCodes(undefined)} />}
    </div>
  )
}

function sentenceOf({ count, madeAt }: z.infer<typeof stored>): string {
  if (count === 0 || !madeAt) return 'You have no codes. If you lose your phone, you’ll be locked out.'
  return `${count === 1 ? 'One code is' : `${count} codes are`} left. Created on ${formatLongDay(madeAt)}.`
}

const RECOVERY_CODES = '/api/account/recovery-codes'

const made = z.object({ codes: z.array(z.string()) })

/** Replaces the recovery codes. The new ones are returned only here. */
export async function requestRecoveryCodes(): Promise<string[]> {
  return made.parse(await (await apiRequest('POST', RECOVERY_CODES)).json()).codes
}
