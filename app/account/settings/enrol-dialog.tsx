import { useEffect, useState } from 'react'
import { z } from 'zod/mini'
import { beginAuthenticator, type NewAuthenticator, verifyMfa, requestFactorRemoval } from '#app/account/session/factor-auth.ts'
import { signInAgain } from '#app/account/session/signed-out.ts'
import { isSessionOver, orThrow } from '#app/account/session/session-over.ts'
import { Field } from '#app/ui/field.tsx'
import { FormDialog } from '#app/ui/admin/form-dialog.tsx'
import { useForm } from '#app/ui/admin/use-form.ts'
import { Input } from '#app/ui/input.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { CodeDialog } from './code-dialog.tsx'
import { CopyButton } from '#app/ui/copy-button.tsx'
import { type EnrolDialogProps, useFirstCodes } from './use-first-codes.tsx'

const codeBody = z.object({
  code: z.string().check(
    z.overwrite((text) => text.replaceAll(' ', '')),
    z.regex(/^\d{6}$/, 'Enter the six digits'),
  ),
})

/** Gives an authenticator its secret and asks for a code, which verifies it. Closing earlier changes nothing. */
export function EnrolDialog({ isFirst, close }: EnrolDialogProps) {
  const { begun, failure } = useBegun()
  const { counts, codes, finish, leaveDone } = useFirstCodes({ isFirst, close })
  const form = useForm({
    schema: codeBody,
    async send({ code }) {
      if (begun) await orThrow(verifyMfa(begun.id, code))
      await finish()
    },
    explain: ({ detail }) => ({ code: detail }),
    failed: 'Two-factor authentication not turned on',
  })
  async function giveUp() {
    if (counts) return
    close()
    if (begun) await requestFactorRemoval(begun.id)
  }
  if (codes) return <CodeDialog codes={codes} close={leaveDone} />
  return (
    <FormDialog
      form={form}
      onClose={() => void giveUp()}
      title="Set up two-factor authentication"
      submit="Turn on"
      pending="Checking..."
      unavailable={begun ? undefined : 'Enter the code first.'}
    >
      {!begun && !failure && <Loading>Creating a secret...</Loading>}
      {failure && (
        <p role="alert" className="text-alarm">
          {failure}
        </p>
      )}
      {begun && <Steps begun={begun} />}
    </FormDialog>
  )
}

function Steps({ begun }: { begun: NewAuthenticator }) {
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
      <Field label="2. Enter the code it shows" name="code">
        <Input inputMode="numeric" autoComplete="one-time-code" className="font-mono tracking-widest" />
      </Field>
    </>
  )
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
