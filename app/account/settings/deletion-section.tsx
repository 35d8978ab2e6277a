import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useRevalidator } from 'react-router'
import { GRACE_DAYS } from '#app/account/deletion/deletion.ts'
import { useKeepAccount } from '#app/account/deletion/deletion-notice.tsx'
import { terms } from '#app/content/terms.ts'
import { identity } from '#app/content/identity.ts'
import { ApiError, apiRequest } from '#app/platform/browser/api.ts'
import { Button } from '#app/ui/button.tsx'
import { Field } from '#app/ui/field.tsx'
import { FormDialog } from '#app/ui/form-dialog.tsx'
import { Input } from '#app/ui/input.tsx'
import { toast } from '#app/ui/toast.ts'
import type { OwnAccount } from './account.ts'
import { AccountSection } from './account-section.tsx'
import { useRefreshAccount } from './account-state.tsx'
import { formatLongDay } from '#app/ui/moment.ts'

const WHAT_GOES = `Your profile, picture, password, second factors and sessions. We delete them after ${GRACE_DAYS} days. Until then you can sign in and keep your account.`
const WHAT_STAYS = `Your enquiries, because we must keep business correspondence. A log of account activity, without your name and address, for ${terms.auditMonths} months, so that changes can be traced.`

const WHAT_GOES_HERE = `Your profile, picture and sessions here. We delete them after ${GRACE_DAYS} days. Until then you can sign in and keep your account.`
const WHAT_REMAINS_ELSEWHERE = `Your address, password and second factors. We cannot delete them there automatically. Email ${identity.email} and we’ll do it.`

/** The deletion of an account: its consequences, and how to cancel it during the waiting period. */
export function DeletionSection({ account }: { account: OwnAccount }) {
  const [asking, setAsking] = useState(false)
  const { keep, isPending } = useKeepAccount()
  return (
    <AccountSection id="delete" title="Delete your account">
      <dl className="grid max-w-[60ch] gap-3 text-small [&_dt]:font-semibold">
        <div>
          <dt>What we delete</dt>
          <dd className="text-muted">{account.remainsElsewhere ? WHAT_GOES_HERE : WHAT_GOES}</dd>
        </div>
        {account.remainsElsewhere && (
          <div>
            <dt>What stays at the sign-in service</dt>
            <dd className="text-muted">{WHAT_REMAINS_ELSEWHERE}</dd>
          </div>
        )}
        <div>
          <dt>What we keep, and why</dt>
          <dd className="text-muted">{WHAT_STAYS}</dd>
        </div>
      </dl>
      {account.deletionDueAt ? (
        <div className="flex flex-wrap items-center gap-x-5 gap-y-3">
          <p role="status" className="font-semibold text-alarm">
            Your account will be deleted on <time dateTime={account.deletionDueAt}>{formatLongDay(account.deletionDueAt)}</time>.
          </p>
          <Button type="button" busy={isPending} onClick={keep}>
            {isPending ? 'Keeping...' : 'Keep my account'}
          </Button>
        </div>
      ) : (
        <Button type="button" look="danger" className="justify-self-start" onClick={() => setAsking(true)}>
          Delete my account
        </Button>
      )}
      {asking && <DeletionDialog account={account} close={() => setAsking(false)} />}
    </AccountSection>
  )
}

/** Needs typing, not only a click. */
function DeletionDialog({ account: { email, phone }, close }: { account: OwnAccount; close: () => void }) {
  const { ask, error } = useAskDeletion(close, email !== '')
  // People who sign in by a wallet or an external account may have neither.
  const name = email || (phone && `+${phone}`)
  return (
    <FormDialog
      onClose={close}
      title="Delete your account?"
      submit={ask.isPending ? 'Requesting...' : 'Delete my account'}
      look="danger"
      busy={ask.isPending}
      onSubmit={(given) => ask.mutate(given['confirm'] ?? '')}
    >
      <p className="text-muted">
        Your account will be deleted in {GRACE_DAYS} days.{name && ' To confirm, enter:'}
      </p>
      {name && (
        <>
          <p className="font-mono text-small break-words">{name}</p>
          <Field label={email ? 'Your email' : 'Your phone number'} name="confirm" error={error}>
            <Input autoComplete="off" autoCapitalize="none" spellCheck={false} />
          </Field>
        </>
      )}
      {!name && error && (
        <p role="alert" className="text-alarm">
          {error}
        </p>
      )}
    </FormDialog>
  )
}

function useAskDeletion(close: () => void, isMailed: boolean) {
  const refresh = useRefreshAccount()
  const { revalidate } = useRevalidator()
  const ask = useMutation({
    mutationFn: (confirm: string) => apiRequest('POST', '/api/account/deletion', { confirm }),
    async onSuccess() {
      close()
      toast({
        title: 'Deletion scheduled',
        description: `${isMailed ? 'We have sent you an email. ' : ''}You can still keep your account.`,
      })
      await Promise.all([refresh(), revalidate()])
    },
  })
  const error = ask.error instanceof ApiError ? ask.error.detail : ask.error && 'The server could not be reached. Please try again.'
  return { ask, error: error ?? undefined }
}
