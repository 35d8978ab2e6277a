import { useState } from 'react'
import { href, Link, useRevalidator } from 'react-router'
import { z } from 'zod/mini'
import { signInAgain } from '#app/account/session/signed-out.ts'
import type { Failure } from '#app/account/session/auth.ts'
import { askForCode, changePassword } from '#app/account/session/own-auth.ts'
import { isSessionOver, orThrow } from '#app/account/session/session-over.ts'
import { PasswordField, passwordHint } from '#app/account/sign-in/password-field.tsx'
import { momentIn, secondsToWait } from '#app/account/sign-in/phone-mfa.ts'
import { SendAgain } from '#app/account/sign-in/send-again.tsx'
import { Form } from '#app/ui/admin/form.tsx'
import { useForm } from '#app/ui/admin/use-form.ts'
import { Field } from '#app/ui/field.tsx'
import { Input } from '#app/ui/input.tsx'
import { SubmitButton } from '#app/ui/submit-button.tsx'
import { toast } from '#app/ui/toast.ts'
import { newPasswordForm, passwordsMatch } from '#app/account/sign-in/credentials.ts'
import { ACCOUNT, type OwnAccount } from './account.ts'
import { AccountSection } from './account-section.tsx'

/** The form for a new password. A proof's field appears once the service demands it. */
export function PasswordSection({ account: { hasPassword, asksCurrentPassword, leastPasswordLength } }: { account: OwnAccount }) {
  const { proofs, code, form } = usePasswordForm(asksCurrentPassword)
  return (
    <AccountSection id="password" title="Password" intro="Changing it signs out all your other devices.">
      <Form form={form} resets className="grid max-w-md gap-5">
        {proofs.includes('code') && (
          <div className="grid gap-3">
            <Field label="Code from the email" name="nonce" hint="We sent it to your email address.">
              <Input inputMode="numeric" autoComplete="one-time-code" className="font-mono tracking-widest" />
            </Field>
            <SendAgain
              type="button"
              size="small"
              className="justify-self-start"
              waitUntil={code.waitUntil}
              busy={code.isAsking}
              onClick={() => void code.askAgain()}
            />
          </div>
        )}
        {proofs.includes('current') && (
          <PasswordField
            label="Current password"
            name="currentPassword"
            id="current-password"

            hint={
              <>
                Forgot it?{' '}
                <Link to={href('/login/forgot-password')} className="link">
                  Get a reset link by email
                </Link>
              </>
            }
            autoComplete="current-password"
          />
        )}
        <PasswordField
          label="New password"
          name="password"
          id="own-new-password"
          hint={passwordHint(leastPasswordLength)}

          autoComplete="new-password"
        />
        <PasswordField
          label="Confirm new password"
          name="confirmPassword"
          id="own-confirm-password"

          autoComplete="new-password"
        />
        <SubmitButton look="quiet" needsScript className="justify-self-start">
          {hasPassword ? 'Change password' : 'Set a password'}
        </SubmitButton>
      </Form>
    </AccountSection>
  )
}

function usePasswordForm(asksCurrent: boolean) {
  const [wishes, setProofs] = useState<PasswordProofField[]>([])
  const proofs = asksCurrent ? [...new Set<PasswordProofField>([...wishes, 'current'])] : wishes
  const code = useMailedCode()
  const { revalidate } = useRevalidator()
  async function send({ password, currentPassword, nonce }: { password: string; currentPassword?: string; nonce?: string }) {
    const { failure } = await changePassword({
      password,
      ...(currentPassword && { current_password: currentPassword }),
      ...(nonce && { nonce: nonce.replaceAll(/\s/g, '') }),
    })
    if (!failure) return {}
    const wanted = proofWanted(failure.code)
    if (wanted) setProofs((before) => [...new Set([...before, wanted])])
    // The reason why the code could not be sent matters more than the demand for it.
    const unsent = wanted === 'code' ? await code.ask() : undefined
    return { failure: unsent ?? { ...failure, message: wordsOfRefusal(failure) } }
  }
  const form = useForm({
    schema: passwordForm(proofs),
    send: async (value) => orThrow(send(value), fieldOfRefusal),
    done: () => ({ title: 'Password changed', description: 'All your other devices have been signed out.' }),
    failed: 'Password not changed',
    touches: [ACCOUNT],
    onDone() {
      setProofs([])
      return revalidate()
    },
  })
  return { proofs, code, form }
}

/** Requests the emailed code, and another one when the service allows it. */
function useMailedCode() {
  const [waitUntil, setWaitUntil] = useState(0)
  const [isAsking, setAsking] = useState(false)

  async function ask(): Promise<Failure | undefined> {
    const { failure } = await askForCode()
    const seconds = failure && secondsToWait(failure.message)
    if (seconds) setWaitUntil(momentIn(seconds))
    return failure
  }

  async function askAgain() {
    setAsking(true)
    const failure = await ask()
    setAsking(false)
    if (!failure) toast({ title: 'Another code is on its way', description: 'Only the latest code works.' })
    else if (isSessionOver(failure)) signInAgain()
    else toast({ title: 'No code sent', description: failure.message, look: 'danger' })
  }
  return { waitUntil, isAsking, ask, askAgain }
}

/** The proofs that the service may demand beside the new password: the current one, an emailed code, or both. */
type PasswordProofField = 'current' | 'code'

const wanted = (isWanted: boolean, sentence: string) =>
  z.optional(z.string()).check(z.refine((text = '') => !isWanted || text.trim() !== '', sentence))

/** The form with the proofs that were demanded so far. */
function passwordForm(proofs: readonly PasswordProofField[]) {
  return z
    .object({
      ...newPasswordForm.shape,
      currentPassword: wanted(proofs.includes('current'), 'Enter your current password'),
      nonce: wanted(proofs.includes('code'), 'Enter the code from the email'),
    })
    .check(passwordsMatch)
}

/** The proof that a refusal demands. */
function proofWanted(code: string | undefined): PasswordProofField | undefined {
  if (code === 'current_password_required') return 'current'
  return code === 'reauthentication_needed' ? 'code' : undefined
}

/** The field of a refusal. */
function fieldOfRefusal(code: string | undefined): string | undefined {
  const fields: Record<string, string> = {
    weak_password: 'password',
    same_password: 'password',
    current_password_required: 'currentPassword',
    current_password_invalid: 'currentPassword',
    current_password_mismatch: 'currentPassword',
    reauthentication_needed: 'nonce',
    reauthentication_not_valid: 'nonce',
  }
  return fields[code ?? '']
}

const words: Record<string, string> = {
  current_password_required: 'Enter your current password too.',
  reauthentication_needed: 'Enter the code we sent to your address.',
  reauthentication_not_valid: 'This isn’t the code from the latest email, or it expired. Request another one.',
}

/** The text for a refused password. */
function wordsOfRefusal({ code, message }: { code: string | undefined; message: string }): string {
  return words[code ?? ''] ?? message
}
