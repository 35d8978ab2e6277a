import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { z } from 'zod/mini'
import { apiQuery } from '#app/platform/browser/api.ts'
import { requestFactorRemoval } from '#app/account/session/factor-auth.ts'
import { identity } from '#app/content/identity.ts'
import { formatLongDay } from '#app/ui/moment.ts'
import { Button } from '#app/ui/button.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { laterCode, LaterDialog } from '#app/ui/later-code.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { addSecurityKey } from '#app/account/session/passkey-auth.ts'
import { orThrow } from '#app/account/session/session-over.ts'
import { Field } from '#app/ui/field.tsx'
import { FormDialog } from '#app/ui/admin/form-dialog.tsx'
import { useForm } from '#app/ui/admin/use-form.ts'
import { Input } from '#app/ui/input.tsx'
import { AccountSection } from './account-section.tsx'
import { type OwnAccount } from './account.ts'
import { FACTORS, type OwnFactor, ownFactor } from '#app/account/session/own-factor.ts'
import { RecoveryCodes } from './recovery-codes.tsx'
import { Removal } from './removal.tsx'
import { CodeDialog } from './code-dialog.tsx'
import { type EnrolDialogProps, useFirstCodes } from './use-first-codes.tsx'

const enrolCode = laterCode('The dialog', () => import('./enrol-dialog.tsx'))
const phoneCode = laterCode('The dialog', () => import('./phone-dialog.tsx'))

/** Two-factor authentication: set up, list and remove factors; and the recovery codes for a lost phone. */
export function FactorSection({ account }: { account: OwnAccount }) {
  const factors = useQuery(apiQuery(FACTORS, z.array(ownFactor)))
  const { totp, phone } = account.secondSteps
  return (
    <AccountSection
      id="two-step"
      title="Two-factor authentication (2FA)"
      intro={`${introOf(totp, phone)} A stolen password alone won’t be enough to sign in.`}
    >
      {factors.isPending && <Loading>Loading your second factors...</Loading>}
      {factors.isError && <Failed error={factors.error} retry={factors.refetch} />}
      {factors.data && <Factors factors={factors.data} account={account} />}
    </AccountSection>
  )
}

function introOf(totp: boolean, phone: boolean): string {
  if (!phone) return 'Add a one-time code from an authenticator app.'
  return `Add a one-time code from ${totp ? 'an authenticator app or ' : ''}a text message.`
}

const NO_CODES = `The sign-in service has no recovery codes. Add another factor in case you lose the first, or email ${identity.email} for help.`

function Factors({ factors, account: { secondSteps, hasRecoveryCodes } }: { factors: OwnFactor[]; account: OwnAccount }) {
  const [adding, setAdding] = useState<'totp' | 'phone' | 'key'>()
  const isOn = factors.length > 0
  const adds = { isFirst: !isOn && hasRecoveryCodes, close: () => setAdding(undefined) }
  return (
    <>
      {isOn && (
        <ul className="divide-y divide-line border-y border-line">
          {factors.map((factor) => (
            <FactorRow key={factor.id} factor={factor} isLast={factors.length === 1} hasRecoveryCodes={hasRecoveryCodes} />
          ))}
        </ul>
      )}
      <div className="flex flex-wrap gap-3">
        {secondSteps.totp && (
          <Button type="button" look={isOn ? 'quiet' : 'primary'} onClick={() => setAdding('totp')}>
            {isOn ? 'Add another authenticator' : 'Set up two-factor authentication'}
          </Button>
        )}
        {secondSteps.phone && (
          <Button type="button" look={isOn || secondSteps.totp ? 'quiet' : 'primary'} onClick={() => setAdding('phone')}>
            {isOn ? 'Add a phone' : 'Get codes by text message'}
          </Button>
        )}
        {secondSteps.key && (
          <Button type="button" look={isOn || secondSteps.totp ? 'quiet' : 'primary'} onClick={() => setAdding('key')}>
            Add a security key
          </Button>
        )}
      </div>
      {isOn && (hasRecoveryCodes ? <RecoveryCodes /> : <p className="text-small text-muted">{NO_CODES}</p>)}
      {adding === 'totp' && (
        <LaterDialog code={enrolCode} onClose={adds.close}>
          {({ EnrolDialog }) => <EnrolDialog {...adds} />}
        </LaterDialog>
      )}
      {adding === 'key' && <KeyDialog {...adds} />}
      {adding === 'phone' && (
        <LaterDialog code={phoneCode} onClose={adds.close}>
          {({ PhoneDialog }) => <PhoneDialog {...adds} pauseSeconds={secondSteps.pauseSeconds} />}
        </LaterDialog>
      )}
    </>
  )
}

const kinds = { app: 'Authenticator', phone: 'Phone', key: 'Security key' }

type FactorRowProps = { factor: OwnFactor; isLast: boolean; hasRecoveryCodes: boolean }

function FactorRow({ factor: { id, name, createdAt, kind, phone }, isLast, hasRecoveryCodes }: FactorRowProps) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-4">
      <div className="grid gap-1">
        <p className="font-semibold">{name}</p>
        <p className="text-small text-muted">
          {phone && <span className="font-mono text-fine">{phone}</span>}
          {phone && ' · '}
          Added <time dateTime={createdAt}>{formatLongDay(createdAt)}</time>
        </p>
      </div>
      <Removal name={name} remove={() => requestFactorRemoval(id)} done={`${kinds[kind]} removed`}>
        {isLast
          ? `Two-factor authentication will be off. Your password alone will sign you in${hasRecoveryCodes ? ', and your recovery codes will stop working' : ''}.`
          : kind === 'key'
            ? 'You can no longer sign in with it. Your other methods stay active.'
            : 'Its codes will stop working. Your other methods stay active.'}
      </Removal>
    </li>
  )
}

const LONGEST_NAME = 90

const keyName = z.object({ name: z.string().check(z.trim(), z.maxLength(LONGEST_NAME, `Use at most ${LONGEST_NAME} characters`)) })

/** Names a security key and has the browser ask for it, which verifies it. Closing earlier changes nothing. */
function KeyDialog(props: EnrolDialogProps) {
  const { codes, finish, leaveDone } = useFirstCodes(props)
  const form = useForm({
    schema: keyName,
    async send({ name }) {
      await orThrow(addSecurityKey(name || 'Security key'))
      await finish()
    },
    explain: ({ detail }) => ({ name: detail }),
    failed: 'Security key not added',
  })
  if (codes) return <CodeDialog codes={codes} close={leaveDone} />
  return (
    <FormDialog form={form} onClose={props.close} title="Add a security key" submit="Continue" pending="Follow your browser...">
      <p className="text-small text-muted">
        Have your key ready. Your browser will ask you to plug it in, or hold it to your phone, and touch it.
      </p>
      <Field label="Name" name="name" hint="Helps you tell your keys apart.">
        <Input defaultValue="Security key" autoComplete="off" />
      </Field>
    </FormDialog>
  )
}
