import { useState } from 'react'
import { href, Link, useNavigate } from 'react-router'
import { ButtonLink } from '#app/ui/button-link.tsx'
import { Button } from '#app/ui/button.tsx'
import { Field } from '#app/ui/field.tsx'
import { Input } from '#app/ui/input.tsx'
import { toast } from '#app/ui/toast.ts'
import { signInWithPassword } from '#app/account/session/auth.ts'
import { Resend } from './check-email.tsx'
import { type FieldErrors, readFields, signInForm } from './credentials.ts'
import { useTyped } from './email-request-form.tsx'
import { LiveForm, usePageForm } from './live-form.tsx'
import { PasswordField } from './password-field.tsx'
import { codePath, mfaPath, SIGNED_IN, signInFailure } from './sign-in-texts.ts'

type SignInFormProps = {
  next: string
  /** The server handles the form itself: the auth service would ask for a captcha. */
  byPage: boolean
  errors?: FieldErrors | undefined
  /** The code with which the page's action has refused the sign-in. */
  failure?: string | undefined
  email?: string | undefined
  /** The pause between two emails. */
  pauseSeconds: number
  /** The address of this browser's last sign-up. */
  address?: string | undefined
}

/** Signs in from the live page; before hydration the browser submits the form to the page's action. */
export function SignInForm({ next, byPage, errors: refused, failure: given, email, address, pauseSeconds }: SignInFormProps) {
  const navigate = useNavigate()
  const typed = useTyped()?.email ?? address
  const sendToPage = usePageForm()
  const [errors, setErrors] = useState(refused ?? {})
  const [failed, setFailed] = useState(given === undefined ? undefined : { code: given, email: email ?? '' })
  const [busy, setBusy] = useState(false)

  async function submit(form: HTMLFormElement) {
    const read = readFields(signInForm, Object.fromEntries(new FormData(form)))
    setErrors(read.errors ?? {})
    if (!read.value) return
    setBusy(true)
    if (byPage) {
      await sendToPage(form)
      return setBusy(false)
    }
    const { failure, mfaPending } = await signInWithPassword(read.value)
    setBusy(false)
    setFailed(failure && { code: failure.code ?? '', email: read.value.email })
    if (failure) {
      toast({ title: 'Sign In Failed', description: signInFailure(failure.code, failure.message), look: 'danger' })
      return
    }
    if (!mfaPending) toast(SIGNED_IN)
    await navigate(mfaPending ? mfaPath(next) : next, { replace: true })
  }

  const isUnconfirmed = failed?.code === 'email_not_confirmed'
  return (
    <>
      {isUnconfirmed && <Unconfirmed email={failed.email} pauseSeconds={pauseSeconds} />}
      <LiveForm submit={submit}>
        <input type="hidden" name="form" value="sign-in" />
        <Field label="Email" name="email" id="sign-in-email" error={errors['email']}>
          <Input type="email" autoComplete="username webauthn" inputMode="email" defaultValue={email ?? typed} />
        </Field>
        <PasswordField label="Password" name="password" id="sign-in-password" error={errors['password']} autoComplete="current-password" />
        {failed && !isUnconfirmed && <ConfirmFirst />}
        <Button busy={busy}>{busy ? 'Signing in...' : 'Sign In'}</Button>
        <ButtonLink to={codePath(next)} look="quiet">
          Email me a code
        </ButtonLink>
        <p className="flex flex-wrap justify-between gap-x-6 text-small">
          <Link to={href('/login/forgot-password')} className="link inline-flex min-h-11 items-center">
            Forgot password?
          </Link>
          <Link to={href('/login/confirm')} state={{ email: typed }} className="link inline-flex min-h-11 items-center">
            No confirmation email?
          </Link>
        </p>
      </LiveForm>
    </>
  )
}

/** The password is that of a sign-up whose email was not followed yet. */
function Unconfirmed({ email, pauseSeconds }: { email: string; pauseSeconds: number }) {
  return (
    <div role="status" className="grid gap-3 rounded-control border border-line px-4 py-3 text-small">
      <p className="wrap-anywhere">
        Confirm your email address first. The link is in the email to <strong>{email}</strong>.
      </p>
      <Resend email={email} pauseSeconds={pauseSeconds} leftSeconds={0} />
    </div>
  )
}

/** The same for every other failed sign-in, so it does not reveal whether an account awaits its confirmation. */
function ConfirmFirst() {
  return (
    <div role="status" className="grid justify-items-start rounded-control border border-line px-4 pt-3 text-small">
      <p>Just signed up? Confirm your email address before you sign in.</p>
      <Link to={href('/login/confirm')} className="link inline-flex min-h-11 items-center">
        Resend the confirmation email
      </Link>
    </div>
  )
}
