import type { Recovery } from '#app/auth/verification/recovery.server.ts'
import { Button } from '#app/ui/button.tsx'
import { Field } from '#app/ui/field.tsx'
import { Input } from '#app/ui/input.tsx'
import type { FieldErrors } from './credentials.ts'
import { PasswordField, passwordHint } from './password-field.tsx'

/** The purpose of the new password. */
export function passwordIntro({ isFirst, isSignUp }: Recovery): string {
  if (isSignUp) return 'Choose the password that you’ll sign in with. It replaces one that was typed in another browser.'
  return isFirst ? 'You’ll use it to sign in.' : 'This signs out all your devices.'
}

type Names = { firstName: string; lastName: string }
type NewPasswordFormProps = {
  action?: string
  token: string
  recovery: Recovery
  errors?: FieldErrors
  values?: Names | undefined
  label: string
}

/** Asks for a new password for the account of an email's link. Works without JavaScript. */
export function NewPasswordForm({ action, token, recovery, errors, values, label }: NewPasswordFormProps) {
  return (
    <form method="post" action={action} noValidate className="grid gap-5">
      <input type="hidden" name="token_hash" value={token} />
      {recovery.asksName && (
        <div className="grid gap-5 sm:grid-cols-2">
          <Field label="First Name" name="firstName" optional error={errors?.['firstName']}>
            <Input autoComplete="given-name" defaultValue={values?.firstName} />
          </Field>
          <Field label="Last Name" name="lastName" optional error={errors?.['lastName']}>
            <Input autoComplete="family-name" defaultValue={values?.lastName} />
          </Field>
        </div>
      )}
      <PasswordField
        label="New Password"
        name="password"
        id="new-password"
        error={errors?.['password']}
        hint={passwordHint(recovery.leastLength)}
        autoComplete="new-password"
      />
      <PasswordField
        label="Confirm New Password"
        name="confirmPassword"
        id="confirm-new-password"
        error={errors?.['confirmPassword']}
        autoComplete="new-password"
      />
      {recovery.keys > 0 && (
        <label className="flex min-h-11 items-center gap-3">
          <input type="hidden" name="offered" value="keys" />
          <input type="checkbox" name="keys" value="revoke" defaultChecked className="size-5 shrink-0 accent-grain-text" />
          {recovery.keys === 1 ? 'Revoke my API key as well' : `Revoke my ${recovery.keys} API keys as well`}
        </label>
      )}
      <Button>{label}</Button>
    </form>
  )
}
