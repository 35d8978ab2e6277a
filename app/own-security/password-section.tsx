import { useState } from 'react'
import { useRevalidator } from 'react-router'
import { askForCode, changePassword } from '#app/auth-client/own-auth.ts'
import { PasswordField, passwordHint } from '#app/login/password-field.tsx'
import { Button } from '#app/ui/button.tsx'
import { Field } from '#app/ui/field.tsx'
import { Input } from '#app/ui/input.tsx'
import { toast } from '#app/ui/toast.ts'
import type { OwnAccount } from '#app/own-account/account.ts'
import { AccountSection } from '#app/own-account/account-section.tsx'
import { useRefreshAccount } from '#app/own-account/account-state.tsx'
import { fieldOfRefusal, passwordForm, type Proof, proofWanted } from './password-form.ts'
import { useForm } from '#app/own-account/use-form.tsx'

/** A new password. What the service asks for as a proof appears once it has asked. */
export function PasswordSection({ account: { hasPassword, leastPasswordLength } }: { account: OwnAccount }) {
  const { proof, errors, busy, form } = usePasswordForm()
  return (
    <AccountSection id="password" title="Password" intro="When you change it, all your other devices are signed out.">
      <form {...form} className="grid max-w-md gap-5">
        {proof === 'current' && (
          <PasswordField
            label="Current password"
            name="currentPassword"
            id="current-password"
            error={errors['currentPassword']}
            autoComplete="current-password"
          />
        )}
        {proof === 'code' && (
          <Field label="Code from the letter" name="nonce" error={errors['nonce']} hint="We have sent it to your address.">
            <Input inputMode="numeric" autoComplete="one-time-code" className="font-mono" />
          </Field>
        )}
        <PasswordField
          label="New password"
          name="password"
          id="own-new-password"
          hint={passwordHint(leastPasswordLength)}
          error={errors['password']}
          autoComplete="new-password"
        />
        <PasswordField
          label="Confirm new password"
          name="confirmPassword"
          id="own-confirm-password"
          error={errors['confirmPassword']}
          autoComplete="new-password"
        />
        <Button busy={busy} className="justify-self-start">
          {busy ? 'Saving...' : hasPassword ? 'Change password' : 'Set a password'}
        </Button>
      </form>
    </AccountSection>
  )
}

function usePasswordForm() {
  const [proof, setProof] = useState<Proof>('none')
  const refresh = useRefreshAccount()
  const { revalidate } = useRevalidator()
  const form = useForm({
    schema: passwordForm(proof),
    async send({ password, currentPassword, nonce }) {
      const { failure } = await changePassword({
        password,
        ...(currentPassword && { current_password: currentPassword }),
        ...(nonce && { nonce }),
      })
      const wanted = proofWanted(failure?.code)
      if (!failure || !wanted) return failure ? { failure } : {}
      setProof(wanted)
      return wanted === 'code' ? orElse(await askForCode(), failure) : { failure }
    },
    fieldOf: fieldOfRefusal,
    failed: 'One more thing',
    async done(_value, element) {
      element.reset()
      setProof('none')
      toast({ title: 'Your password is changed', description: 'All your other devices have been signed out.' })
      await Promise.all([refresh(), revalidate()])
    },
  })
  return { proof, ...form }
}

/** Why the code could not be sent matters more than that it is needed. */
function orElse<Failure>(asked: { failure?: Failure }, failure: Failure): { failure: Failure } {
  return { failure: asked.failure ?? failure }
}
