import { useState } from 'react'
import { signInAgain } from '#app/account/session/signed-out.ts'
import { addSecurityKey } from '#app/account/session/passkey-auth.ts'
import { isSessionOver } from '#app/account/session/session-over.ts'
import { Field } from '#app/ui/field.tsx'
import { FormDialog } from '#app/ui/form-dialog.tsx'
import { Input } from '#app/ui/input.tsx'
import { CodeDialog } from './code-dialog.tsx'
import { type EnrolDialogProps, useFirstCodes } from './use-first-codes.tsx'

const LONGEST_NAME = 90

/** Names a security key and has the browser ask for it, which verifies it. Closing earlier changes nothing. */
export function KeyDialog(props: EnrolDialogProps) {
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  const { codes, finish, leaveDone } = useFirstCodes(props)
  if (codes) return <CodeDialog codes={codes} close={leaveDone} />

  async function add(typed: string) {
    if (typed.length > LONGEST_NAME) return setError(`Use at most ${LONGEST_NAME} characters`)
    setBusy(true)
    setError(undefined)
    const { failure } = await addSecurityKey(typed || 'Security key')
    if (!failure) await finish()
    else if (isSessionOver(failure)) signInAgain()
    else setError(failure.message)
    setBusy(false)
  }
  return (
    <FormDialog
      onClose={props.close}
      title="Add a security key"
      submit={busy ? 'Follow your browser...' : 'Continue'}
      busy={busy}
      onSubmit={(given) => void add((given['name'] ?? '').trim())}
    >
      <p className="text-small text-muted">
        Have your key ready. Your browser will ask you to plug it in, or hold it to your phone, and touch it.
      </p>
      <Field label="Name" name="name" error={error} hint="Helps you tell your keys apart.">
        <Input defaultValue="Security key" autoComplete="off" />
      </Field>
    </FormDialog>
  )
}
