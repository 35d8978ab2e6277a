import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useRevalidator } from 'react-router'
import { listOwnFactors, type OwnFactor, removeFactor } from '#app/auth-client/factor-auth.ts'
import { AccountSection } from '#app/own-account/account-section.tsx'
import { useRefreshAccount } from '#app/own-account/account-state.tsx'
import { formatLongDay } from '#app/ui/moment.ts'
import { Button } from '#app/ui/button.tsx'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { toast } from '#app/ui/toast.ts'
import { EnrolDialog } from './enrol-dialog.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'

const factorsQuery = { queryKey: ['/api/account/factors'], queryFn: listOwnFactors }

/** The second step of one's sign-in: set up, listed, taken away; and the codes for the day when the phone is lost. */
export function FactorSection({ hasRecoveryCodes }: { hasRecoveryCodes: boolean }) {
  const factors = useQuery(factorsQuery)
  return (
    <AccountSection
      id="two-step"
      title="Two-step sign-in"
      intro="Beside your password you type a code that an app on your phone shows. Who learns your password alone cannot come in."
    >
      {factors.isPending && <Loading>Loading your second steps...</Loading>}
      {factors.isError && <Failed error={factors.error} retry={factors.refetch} />}
      {factors.data && <Factors factors={factors.data} hasRecoveryCodes={hasRecoveryCodes} />}
    </AccountSection>
  )
}

function Factors({ factors, hasRecoveryCodes }: { factors: OwnFactor[]; hasRecoveryCodes: boolean }) {
  const [adding, setAdding] = useState(false)
  const isOn = factors.length > 0
  return (
    <>
      {isOn && (
        <ul className="divide-y divide-line border-y border-line">
          {factors.map((factor) => (
            <FactorRow key={factor.id} factor={factor} isLast={factors.length === 1} />
          ))}
        </ul>
      )}
      <Button type="button" look={isOn ? 'quiet' : 'primary'} className="justify-self-start" onClick={() => setAdding(true)}>
        {isOn ? 'Add another authenticator' : 'Set up two-step sign-in'}
      </Button>
      {isOn && hasRecoveryCodes && <RecoveryCodes />}
      {adding && <EnrolDialog isFirst={!isOn && hasRecoveryCodes} close={() => setAdding(false)} />}
    </>
  )
}

function FactorRow({ factor: { id, name, createdAt }, isLast }: { factor: OwnFactor; isLast: boolean }) {
  const [asking, setAsking] = useState(false)
  const remove = useRemoval(id, () => setAsking(false))
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-4">
      <div className="grid gap-1">
        <p className="font-semibold">{name}</p>
        <p className="text-small text-muted">
          Added <time dateTime={createdAt}>{formatLongDay(createdAt)}</time>
        </p>
      </div>
      <Button type="button" look="quiet" size="small" aria-label={`Remove ${name}`} onClick={() => setAsking(true)}>
        Remove
      </Button>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        onConfirm={() => remove.mutate()}
        title={`Remove ${name}?`}
        confirm={remove.isPending ? 'Removing...' : 'Remove'}
        busy={remove.isPending}
      >
        <p>
          {isLast
            ? 'Two-step sign-in is then off: your password alone opens your account, and your recovery codes work no more.'
            : 'Its codes work no more. Your other authenticators stay.'}
        </p>
      </ConfirmDialog>
    </li>
  )
}

function useRemoval(id: string, done: () => void) {
  const refresh = useRefreshAccount()
  const { revalidate } = useRevalidator()
  return useMutation({
    async mutationFn() {
      const { failure } = await removeFactor(id)
      if (failure) throw new Error(failure.message)
    },
    async onSuccess() {
      done()
      toast({ title: 'Authenticator removed' })
      await Promise.all([refresh(), revalidate()])
    },
    onError: ({ message }) => toast({ title: 'Not removed', description: message, look: 'danger' }),
  })
}
