import { useState } from 'react'
import { useNavigate } from 'react-router'
import { Button } from '#app/ui/button.tsx'
import { Field } from '#app/ui/field.tsx'
import { Input } from '#app/ui/input.tsx'
import { toast } from '#app/ui/toast.ts'
import { signUpWithPassword } from '#app/account/session/auth.ts'
import { type FieldErrors, profileFromFields, readFields, signUpForm } from './credentials.ts'
import { useTyped } from './email-request-form.tsx'
import { LiveForm, usePageForm } from './live-form.tsx'
import { PasswordField } from './password-field.tsx'

type SignUpFormProps = {
  next: string
  confirmFirst: string
  /** The server handles the form itself: the auth service would ask for a captcha. */
  byPage: boolean
  /** The password requirements. */
  hint: string
  /** The address of this browser's last sign-up. */
  address?: string | undefined
  errors?: FieldErrors | undefined
  values?: Record<string, string> | undefined
}

/** Creates an account from the live page; before hydration the browser submits the form to the page's action. */
export function SignUpForm({ next, confirmFirst, byPage, hint, address, errors: refused, values: given }: SignUpFormProps) {
  const navigate = useNavigate()
  const sendToPage = usePageForm()
  const typed = useTyped()
  const values: Record<string, string | undefined> = given ?? { email: address, ...typed }
  const [errors, setErrors] = useState(refused ?? {})
  const [busy, setBusy] = useState(false)

  async function submit(form: HTMLFormElement) {
    const read = readFields(signUpForm, Object.fromEntries(new FormData(form)))
    setErrors(read.errors ?? {})
    if (!read.value) return
    setBusy(true)
    if (byPage) {
      await sendToPage(form)
      return setBusy(false)
    }
    const { failure, needsEmailVerification } = await signUpWithPassword({ ...read.value, profile: profileFromFields(read.value) })
    setBusy(false)
    if (failure?.code === 'weak_password') setErrors({ password: failure.message })
    if (failure) return toast({ title: 'Sign Up Failed', description: failure.message, look: 'danger' })
    const { email, firstName, lastName } = read.value
    await navigate(needsEmailVerification ? confirmFirst : next, { replace: true, state: { email, firstName, lastName } })
  }

  return (
    <LiveForm submit={submit}>
      <input type="hidden" name="form" value="sign-up" />
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label="First Name" name="firstName" id="sign-up-first-name" error={errors['firstName']}>
          <Input autoComplete="given-name" defaultValue={values['firstName']} />
        </Field>
        <Field label="Last Name" name="lastName" id="sign-up-last-name" error={errors['lastName']}>
          <Input autoComplete="family-name" defaultValue={values['lastName']} />
        </Field>
      </div>
      <Field label="Email" name="email" id="sign-up-email" error={errors['email']}>
        <Input type="email" autoComplete="username" inputMode="email" defaultValue={values['email']} />
      </Field>
      <PasswordField
        label="Password"
        name="password"
        id="sign-up-password"
        error={errors['password']}
        hint={hint}
        autoComplete="new-password"
      />
      <PasswordField
        label="Confirm Password"
        name="confirmPassword"
        id="sign-up-confirm-password"
        error={errors['confirmPassword']}
        autoComplete="new-password"
      />
      <Button busy={busy}>{busy ? 'Creating account...' : 'Create Account'}</Button>
    </LiveForm>
  )
}
