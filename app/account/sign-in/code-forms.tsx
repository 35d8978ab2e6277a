import { useState } from 'react'
import { useNavigate } from 'react-router'
import { askForSignInCode, signInWithCode } from '#app/account/session/code-auth.ts'
import { Button } from '#app/ui/button.tsx'
import { Field } from '#app/ui/field.tsx'
import { Input } from '#app/ui/input.tsx'
import { toast } from '#app/ui/toast.ts'
import { AccountCard } from './account-card.tsx'
import { type FieldErrors, forgotPasswordForm, readFields } from './credentials.ts'
import { LocalInbox } from './local-inbox.tsx'
import { usePageForm } from './live-form.tsx'
import { mfaPath, SIGNED_IN } from './sign-in-texts.ts'
import { codeForm } from './mfa-forms.ts'

type Step = { email: string; sent: boolean; errors: FieldErrors }
type CodeFormsProps = {
  next: string
  /** The server handles the forms itself: the auth service would ask for a captcha. */
  byPage: boolean
  /** The lifetime of a code, in words. */ life: string
  inbox: boolean
  step: Step
  children: React.ReactNode
}

/** First the address, then the code. The page submits each form; before hydration the browser does. */
export function CodeForms({ next, byPage, life, inbox, step: given, children }: CodeFormsProps) {
  const [step, setStep] = useGiven(given)
  const { email, sent, errors } = step
  if (sent) {
    return (
      <AccountCard title="Enter your code" intro={`If ${email} can receive emails, a code is on its way. It works for ${life}.`}>
        {inbox && <LocalInbox />}
        <CodeForm next={next} byPage={byPage} email={email} errors={errors} />
        <p className="flex flex-wrap justify-between gap-x-6 border-t border-line pt-4 text-small">
          <button
            type="button"
            className="link inline-flex min-h-11 items-center"
            onClick={() => setStep({ email, sent: false, errors: {} })}
          >
            Use another address or resend
          </button>
          {children}
        </p>
      </AccountCard>
    )
  }
  return (
    <AccountCard title="Sign in with a code" intro="We’ll email you a code and a sign-in link. No password needed.">
      <AddressForm byPage={byPage} email={email} errors={errors} done={setStep} />
      <p className="border-t border-line pt-4 text-small">{children}</p>
    </AccountCard>
  )
}

type AddressFormProps = { byPage: boolean; email: string; errors: FieldErrors; done: (step: Step) => void }

function AddressForm({ byPage, email, errors: refused, done }: AddressFormProps) {
  const sendToPage = usePageForm()
  const { errors, busy, onSubmit } = useSubmit(refused, async (fields, form) => {
    const read = readFields(forgotPasswordForm, fields)
    if (!read.value) return read.errors
    if (byPage) return sendToPage(form)
    const { failure } = await askForSignInCode(read.value.email)
    if (failure) return { email: failure.message }
    done({ email: read.value.email, sent: true, errors: {} })
    return {}
  })
  return (
    <form method="post" noValidate className="grid gap-5" onSubmit={onSubmit}>
      <Field label="Email" name="email" error={errors['email']}>
        <Input type="email" autoComplete="username" inputMode="email" defaultValue={email} />
      </Field>
      <Button busy={busy}>{busy ? 'Sending...' : 'Email me a code'}</Button>
    </form>
  )
}

type CodeFormProps = { next: string; byPage: boolean; email: string; errors: FieldErrors }

function CodeForm({ next, byPage, email, errors: refused }: CodeFormProps) {
  const navigate = useNavigate()
  const sendToPage = usePageForm()
  const { errors, busy, onSubmit } = useSubmit(refused, async (fields, form) => {
    const read = readFields(codeForm, fields)
    if (!read.value) return read.errors
    if (byPage) return sendToPage(form)
    const { failure, mfaPending } = await signInWithCode(read.value.email, read.value.code)
    // The code is that of a sign-up in another browser: the page's action leads to the page that asks for a password.
    if (failure?.code === 'email_not_confirmed') return sendToPage(form)
    if (failure) return { code: failure.message }
    if (!mfaPending) toast(SIGNED_IN)
    await navigate(mfaPending ? mfaPath(next) : next, { replace: true })
    return {}
  })
  return (
    <form method="post" noValidate className="grid gap-5" onSubmit={onSubmit}>
      <input type="hidden" name="form" value="code" />
      <input type="hidden" name="email" value={email} />
      <Field label="Code" name="code" error={errors['code']}>
        <Input inputMode="numeric" autoComplete="one-time-code" className="font-mono tracking-widest" />
      </Field>
      <Button busy={busy}>{busy ? 'Signing in...' : 'Sign in'}</Button>
    </form>
  )
}

/** Sends a form from the live page; the response is shown at its fields. */
function useSubmit(refused: FieldErrors, send: (fields: Record<string, unknown>, form: HTMLFormElement) => Promise<FieldErrors | void>) {
  const [errors, setErrors] = useGiven(refused)
  const [busy, setBusy] = useState(false)
  const submit = async (form: HTMLFormElement) => {
    setBusy(true)
    const found = await send(Object.fromEntries(new FormData(form)), form)
    if (found) setErrors(found)
    setBusy(false)
  }
  const onSubmit = (event: React.SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    void submit(event.currentTarget)
  }
  return { errors, busy, onSubmit }
}

/** State that resets with every response of the page. */
function useGiven<T>(given: T): [T, (value: T) => void] {
  const [state, setState] = useState({ given, value: given })
  if (state.given !== given) setState({ given, value: given })
  return [state.value, (value) => setState({ given, value })]
}
