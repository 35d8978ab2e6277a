import { useQuery } from '@tanstack/react-query'
import { useState, useSyncExternalStore } from 'react'
import { z } from 'zod/mini'
import { registerPasskey, CANCELED, requestPasskeyRemoval, requestPasskeyRename } from '#app/account/session/passkey-auth.ts'
import { knowsPasskeys } from '#app/account/session/passkey-autofill.ts'
import { orThrow } from '#app/account/session/session-over.ts'
import { apiQuery } from '#app/platform/browser/api.ts'
import { ACCOUNT, type OwnPasskey, ownPasskey, PASSKEYS } from './account.ts'
import { AccountSection } from './account-section.tsx'
import { ActionButton } from '#app/ui/admin/action-button.tsx'
import { useForm } from '#app/ui/admin/use-form.ts'
import { Badge } from '#app/ui/badge.tsx'
import { Button } from '#app/ui/button.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { Field } from '#app/ui/field.tsx'
import { FormDialog } from '#app/ui/admin/form-dialog.tsx'
import { Input } from '#app/ui/input.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { formatLongDay } from '#app/ui/moment.ts'
import { Removal } from './removal.tsx'

const MOST = 10
const LONGEST_NAME = 120

/** The passkeys: add, rename, list, remove. */
export function PasskeySection() {
  const passkeys = useQuery(apiQuery(PASSKEYS, z.array(ownPasskey)))
  return (
    <AccountSection
      id="passkeys"
      title="Passkeys"
      intro="Sign in with your fingerprint, face or screen lock instead of a password. Passkeys can’t be phished."
    >
      {passkeys.isPending && <Loading>Loading your passkeys...</Loading>}
      {passkeys.isError && <Failed error={passkeys.error} retry={passkeys.refetch} />}
      {passkeys.data && <Passkeys passkeys={passkeys.data} />}
    </AccountSection>
  )
}

function Passkeys({ passkeys }: { passkeys: OwnPasskey[] }) {
  return (
    <>
      {passkeys.length === 0 ? (
        <p className="text-small text-muted">You have no passkeys yet.</p>
      ) : (
        <ul className="divide-y divide-line border-y border-line">
          {passkeys.map((passkey) => (
            <PasskeyRow key={passkey.id} passkey={passkey} />
          ))}
        </ul>
      )}
      <div>
        <AddButton count={passkeys.length} />
      </div>
    </>
  )
}

function AddButton({ count }: { count: number }) {
  const isKnown = useSyncExternalStore(
    () => () => undefined,
    knowsPasskeys,
    () => true,
  )
  const adding = {
    async send() {
      const { failure } = await registerPasskey()
      if (failure?.code === CANCELED) return false
      await orThrow(Promise.resolve(failure ? { failure } : {}))
      return true
    },
    done: (isAdded: boolean) => (isAdded ? 'Passkey added' : undefined),
    failed: 'Passkey not added',
    touches: [ACCOUNT],
  }
  const reason = isKnown
    ? count >= MOST && `You have ${MOST} passkeys, the most for one account.`
    : 'This browser doesn’t support passkeys.'
  return (
    <ActionButton action={adding} pending="Follow your browser..." {...(reason && { unavailable: reason })}>
      Add a passkey
    </ActionButton>
  )
}

function PasskeyRow({ passkey: { id, name, createdAt, lastUsedAt, isSynced } }: { passkey: OwnPasskey }) {
  const [renaming, setRenaming] = useState(false)
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-4">
      <div className="grid min-w-0 gap-1">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 font-semibold break-words">
          {name}
          {isSynced && <Badge>Synced</Badge>}
        </p>
        <p className="text-small text-muted">
          Added <time dateTime={createdAt}>{formatLongDay(createdAt)}</time>
          {' · '}
          {lastUsedAt ? (
            <>
              last used <time dateTime={lastUsedAt}>{formatLongDay(lastUsedAt)}</time>
            </>
          ) : (
            'not used yet'
          )}
        </p>
      </div>
      <div className="flex flex-wrap gap-3">
        <Button type="button" look="quiet" size="small" aria-label={`Rename ${name}`} onClick={() => setRenaming(true)}>
          Rename
        </Button>
        <Removal name={name} remove={() => requestPasskeyRemoval(id)} done="Passkey removed">
          You can no longer sign in with it. Delete it from your device or password manager too.
        </Removal>
      </div>
      {renaming && <RenameDialog id={id} name={name} close={() => setRenaming(false)} />}
    </li>
  )
}

const newName = z.object({
  name: z.string().check(z.trim(), z.minLength(1, 'Type a name'), z.maxLength(LONGEST_NAME, `Use at most ${LONGEST_NAME} characters`)),
})

function RenameDialog({ id, name, close }: { id: string; name: string; close: () => void }) {
  const form = useForm({
    schema: newName,
    send: async (given) => orThrow(requestPasskeyRename(id, given.name)),
    explain: ({ detail }) => ({ name: detail }),
    failed: 'Not renamed',
    touches: [ACCOUNT],
    onDone: close,
  })
  return (
    <FormDialog form={form} onClose={close} title={`Rename ${name}`} submit="Save">
      <Field label="Name" name="name">
        <Input defaultValue={name} autoComplete="off" />
      </Field>
    </FormDialog>
  )
}
