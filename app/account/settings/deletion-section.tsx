import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useRevalidator } from 'react-router'
import type { z } from 'zod/mini'
import { DELETION, deletionRequest, GRACE_DAYS, pendingDeletion } from '#app/account/deletion/deletion.ts'
import { KeepAccount } from '#app/account/deletion/deletion-notice.tsx'
import { terms } from '#app/content/terms.ts'
import { identity } from '#app/content/identity.ts'
import { apiQuery, apiRequest } from '#app/platform/browser/api.ts'
import { Button } from '#app/ui/button.tsx'
import { ButtonLink } from '#app/ui/button-link.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { Field } from '#app/ui/field.tsx'
import { FormDialog } from '#app/ui/admin/form-dialog.tsx'
import { useForm } from '#app/ui/admin/use-form.ts'
import { Input } from '#app/ui/input.tsx'
import { ACCOUNT, type OwnAccount } from './account.ts'
import { AccountSection } from './account-section.tsx'
import { formatLongDay } from '#app/ui/moment.ts'

const WHAT_GOES = `Your profile, picture, password, second factors and sessions. We delete them after ${GRACE_DAYS} days. Until then you can sign in and keep your account.`
const WHAT_STAYS = `Your enquiries, because we must keep business correspondence. A log of account activity, without your name and address, for ${terms.auditMonths} months, so that changes can be traced.`

const WHAT_GOES_HERE = `Your profile, picture and sessions here. We delete them after ${GRACE_DAYS} days. Until then you can sign in and keep your account.`
const WHAT_REMAINS_ELSEWHERE = `Your address, password and second factors. We cannot delete them there automatically. Email ${identity.email} and we’ll do it.`

/** The deletion of an account: its consequences, and how to cancel it during the waiting period. */
export function DeletionSection({ account }: { account: OwnAccount }) {
  const [asking, setAsking] = useState(false)
  const obstacle = useQuery(apiQuery(DELETION, pendingDeletion)).data?.obstacle
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
          <KeepAccount look="primary" />
        </div>
      ) : (
        // It stays where there is an obstacle: a button that goes once that is known would take the press of a quick hand along.
        <Button type="button" look="danger" className="justify-self-start" onClick={() => setAsking(true)}>
          Delete my account
        </Button>
      )}
      {obstacle && (
        <p className="max-w-[60ch] text-small" role="status">
          {obstacle.sentence}{' '}
          <Link to={obstacle.path} className="link">
            {obstacle.label}
          </Link>
        </p>
      )}
      {asking && obstacle && <ObstacleDialog obstacle={obstacle} close={() => setAsking(false)} />}
      {asking && !obstacle && <DeletionDialog account={account} close={() => setAsking(false)} />}
    </AccountSection>
  )
}

type Obstacle = NonNullable<z.infer<typeof pendingDeletion>['obstacle']>

/** Says what has to be done first, in place of the question. */
function ObstacleDialog({ obstacle: { sentence, path, label }, close }: { obstacle: Obstacle; close: () => void }) {
  const actions = (
    <>
      <Button type="button" look="quiet" onClick={close}>
        Cancel
      </Button>
      <ButtonLink to={path}>{label}</ButtonLink>
    </>
  )
  return (
    <Dialog open onClose={close} title="Something comes first" actions={actions}>
      <p>{sentence}</p>
    </Dialog>
  )
}

/** Needs typing, not only a click. */
function DeletionDialog({ account: { email, phone }, close }: { account: OwnAccount; close: () => void }) {
  const { revalidate } = useRevalidator()
  // People who sign in by a wallet or an external account may have neither.
  const name = email || (phone && `+${phone}`)
  const form = useForm({
    schema: deletionRequest,
    read: ({ confirm = '' }) => ({ confirm }),
    send: async (body) => apiRequest('POST', DELETION, body),
    done: () => ({
      title: 'Deletion scheduled',
      description: `${email === '' ? '' : 'We have sent you an email. '}You can still keep your account.`,
    }),
    explain: ({ detail }) => ({ confirm: detail }),
    failed: 'Deletion not requested',
    touches: [ACCOUNT],
    onDone() {
      close()
      return revalidate()
    },
  })
  return (
    <FormDialog form={form} onClose={close} title="Delete your account?" submit="Delete my account" pending="Requesting..." look="danger">
      <p className="text-muted">
        Your account will be deleted in {GRACE_DAYS} days.{name && ' To confirm, enter:'}
      </p>
      {name && (
        <>
          <p className="font-mono text-small break-words">{name}</p>
          <Field label={email ? 'Your email' : 'Your phone number'} name="confirm">
            <Input autoComplete="off" autoCapitalize="none" spellCheck={false} />
          </Field>
        </>
      )}
    </FormDialog>
  )
}
