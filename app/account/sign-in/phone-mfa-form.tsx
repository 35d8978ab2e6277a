import { useNavigate } from 'react-router'
import { LiveForm } from './live-form.tsx'
import { SIGNED_IN } from './sign-in-texts.ts'
import { SendAgain } from './send-again.tsx'
import { usePhoneCode } from './use-phone-code.tsx'
import { Button } from '#app/ui/button.tsx'
import { Field } from '#app/ui/field.tsx'
import { Input } from '#app/ui/input.tsx'
import { toast } from '#app/ui/toast.ts'
import type { MfaFactor } from './mfa-methods.ts'

type PhoneStepFormProps = {
  next: string
  factor: MfaFactor
  /** Seconds between two messages. */
  pauseSeconds: number
  error?: string | undefined
  /** The challenge of the sent message. */
  challenge?: string | undefined
}

/** Verifies a phone as the second factor; before hydration the browser submits both forms to the page's action. */
export function PhoneCodeForm({ next, factor, pauseSeconds, error, challenge }: PhoneStepFormProps) {
  const code = usePhoneCode({ challengeId: challenge, error, pauseSeconds })
  return (
    <>
      {code.challengeId && <CodeForm next={next} factor={factor} code={code} />}
      <SendForm factorId={factor.id} code={code} />
    </>
  )
}

type Code = ReturnType<typeof usePhoneCode>

function CodeForm({ next, factor: { id, phoneEnd }, code }: { next: string; factor: MfaFactor; code: Code }) {
  const navigate = useNavigate()

  async function submit(form: HTMLFormElement) {
    const field = form.elements.namedItem('code')
    if (!(field instanceof HTMLInputElement)) return
    if (!(await code.answer(id, field.value))) return field.select()
    toast(SIGNED_IN)
    await navigate(next, { replace: true })
  }

  return (
    <LiveForm submit={submit}>
      <input type="hidden" name="factor" value={id} />
      <input type="hidden" name="challenge" value={code.challengeId} />
      <p role="status" className="text-small">
        We sent a code to your phone ending in {phoneEnd}.
      </p>
      <Field label="Code" name="code" error={code.error}>
        <Input inputMode="numeric" autoComplete="one-time-code" className="font-mono tracking-widest" />
      </Field>
      <Button busy={code.busy === 'checking'}>{code.busy === 'checking' ? 'Checking...' : 'Continue'}</Button>
    </LiveForm>
  )
}

function SendForm({ factorId, code: { challengeId, error, busy, waitUntil, send } }: { factorId: string; code: Code }) {
  const isSending = busy === 'sending'
  return (
    <form
      method="post"
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        void send(factorId)
      }}
    >
      <input type="hidden" name="form" value="send" />
      <input type="hidden" name="factor" value={factorId} />
      {challengeId && <input type="hidden" name="challenge" value={challengeId} />}
      {!challengeId && error && (
        <p role="alert" className="text-small font-medium text-alarm">
          {error}
        </p>
      )}
      {challengeId || waitUntil > 0 ? (
        <SendAgain waitUntil={waitUntil} busy={isSending} />
      ) : (
        <Button busy={isSending}>{isSending ? 'Sending...' : 'Send me a code'}</Button>
      )}
    </form>
  )
}
