import { useEffect, useState } from 'react'
import { beginAuthenticator, type NewAuthenticator, verifyMfa, requestFactorRemoval } from '#app/account/session/factor-auth.ts'
import { signInAgain } from '#app/account/session/signed-out.ts'
import { isSessionOver } from '#app/account/session/session-over.ts'
import { Field } from '#app/ui/field.tsx'
import { FormDialog } from '#app/ui/form-dialog.tsx'
import { Input } from '#app/ui/input.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { CodeDialog } from './code-dialog.tsx'
import { CopyButton } from '#app/ui/copy-button.tsx'
import { type EnrolDialogProps, useFirstCodes } from './use-first-codes.tsx'

/** Gives an authenticator its secret and asks for a code, which verifies it. Closing earlier changes nothing. */
export function EnrolDialog({ isFirst, close }: EnrolDialogProps) {
  const { begun, failure, finish, error, busy, codes, leave, leaveDone } = useEnrolment({ isFirst, close })
  if (codes) return <CodeDialog codes={codes} close={leaveDone} />
  return (
    <FormDialog
      onClose={leave}
      title="Set up two-factor authentication"
      submit={busy ? 'Checking...' : 'Turn on'}
      busy={busy}
      unavailable={begun ? undefined : 'Enter the code first.'}
      onSubmit={(given) => finish(given['code'] ?? '')}
    >
      {!begun && !failure && <Loading>Creating a secret...</Loading>}
      {failure && (
        <p role="alert" className="text-alarm">
          {failure}
        </p>
      )}
      {begun && <Steps begun={begun} error={error} />}
    </FormDialog>
  )
}

function Steps({ begun, error }: { begun: NewAuthenticator; error: string | undefined }) {
  return (
    <>
      <p className="text-small text-muted">1. Scan this with an authenticator app, or enter the secret.</p>
      <img
        src={begun.qrCode}
        alt="The secret as a QR code"
        width={180}
        height={180}
        className="size-45 justify-self-center rounded-control"
      />
      <p className="flex flex-wrap items-center gap-3">
        <code className="min-w-0 rounded-control bg-sunken px-3 py-2 break-all">{begun.secret}</code>
        <CopyButton text={begun.secret} label="Copy secret" />
      </p>
      <Field label="2. Enter the code it shows" name="code" error={error}>
        <Input inputMode="numeric" autoComplete="one-time-code" className="font-mono tracking-widest" />
      </Field>
    </>
  )
}

function useEnrolment(props: EnrolDialogProps) {
  const { begun, failure } = useBegun()
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  const { counts, codes, finish, leaveDone } = useFirstCodes(props)

  async function check(code: string) {
    if (!begun) return
    if (!/^\d{6}$/.test(code.replaceAll(' ', ''))) return setError('Enter the six digits')
    setBusy(true)
    const passed = await verifyMfa(begun.id, code.replaceAll(' ', ''))
    if (!passed.failure) await finish()
    else if (isSessionOver(passed.failure)) signInAgain()
    else setError(passed.failure.message)
    setBusy(false)
  }

  async function giveUp() {
    if (counts) return
    props.close()
    if (begun) await requestFactorRemoval(begun.id)
  }
  return { begun, failure, error, busy, codes, finish: (code: string) => void check(code), leave: () => void giveUp(), leaveDone }
}

/** Runs once: in development React mounts everything twice. */
function useBegun() {
  const [begun, setBegun] = useState<NewAuthenticator>()
  const [failure, setFailure] = useState<string>()
  useEffect(() => {
    const begin = async () => {
      const answer = await beginAuthenticator()
      setBegun(answer.begun)
      setFailure(answer.failure?.message)
      if (answer.failure && isSessionOver(answer.failure)) signInAgain()
    }
    const timer = setTimeout(() => void begin())
    return () => clearTimeout(timer)
  }, [])
  return { begun, failure }
}
