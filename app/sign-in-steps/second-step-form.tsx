import { useState } from 'react'
import { useNavigate } from 'react-router'
import { passSecondStep, passWithRecoveryCode } from '#app/auth-client/factor-auth.ts'
import { signInAgain } from '#app/account/signed-out.ts'
import { isSessionOver } from '#app/auth-client/session-over.ts'
import { Button } from '#app/ui/button.tsx'
import { Field } from '#app/ui/field.tsx'
import { Input, Select } from '#app/ui/input.tsx'
import { toast } from '#app/ui/toast.ts'
import { readFields } from '#app/login/credentials.ts'
import { LiveForm } from '#app/login/live-form.tsx'
import { SIGNED_IN } from '#app/login/sign-in-texts.ts'
import type { Way } from './second-step-ways.ts'
import { secondStepForm } from './step-forms.ts'

type SecondStepFormProps = {
  next: string
  way: Exclude<Way, { kind: 'phone' } | { kind: 'key' }>
  error?: string | undefined
}

/** Takes the second step from the live page; until that is live, the browser sends the form to the page's action. */
export function SecondStepForm({ next, way, error: refused }: SecondStepFormProps) {
  const recovery = way.kind === 'recovery'
  const factors = way.kind === 'app' ? way.factors : []
  const navigate = useNavigate()
  const [error, setError] = useState(refused)
  const [busy, setBusy] = useState(false)

  async function submit(form: HTMLFormElement) {
    const read = readFields(secondStepForm, Object.fromEntries(new FormData(form)))
    setError(read.errors?.['code'])
    if (!read.value) return
    const { code, factor = '' } = read.value
    setBusy(true)
    const { failure } = await (recovery ? passWithRecoveryCode(code) : passSecondStep(factor, code))
    setBusy(false)
    if (failure) {
      if (isSessionOver(failure)) signInAgain()
      setError(failure.message)
      const field = form.elements.namedItem('code')
      if (field instanceof HTMLInputElement) field.select()
      return
    }
    toast(SIGNED_IN)
    await navigate(next, { replace: true })
  }

  return (
    <LiveForm submit={submit}>
      {recovery && <input type="hidden" name="recovery" value="1" />}
      {!recovery && factors.length === 1 && <input type="hidden" name="factor" value={factors[0]?.id} />}
      {!recovery && factors.length > 1 && (
        <Field label="Authenticator" name="factor">
          <Select>
            {factors.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        </Field>
      )}
      <Field label={recovery ? 'Recovery code' : 'Code'} name="code" error={error}>
        <Input
          inputMode={recovery ? 'text' : 'numeric'}
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          className="font-mono tracking-widest"
        />
      </Field>
      <Button busy={busy}>{busy ? 'Checking...' : 'Continue'}</Button>
    </LiveForm>
  )
}
