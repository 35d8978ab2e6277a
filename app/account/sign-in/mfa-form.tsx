import { useState } from 'react'
import { useNavigate } from 'react-router'
import { verifyMfa, passWithRecoveryCode } from '#app/account/session/factor-auth.ts'
import { signInAgain } from '#app/account/session/signed-out.ts'
import { isSessionOver } from '#app/account/session/session-over.ts'
import { Button } from '#app/ui/button.tsx'
import { Field } from '#app/ui/field.tsx'
import { Input, Select } from '#app/ui/input.tsx'
import { toast } from '#app/ui/toast.ts'
import { readFields } from './credentials.ts'
import { LiveForm } from './live-form.tsx'
import { SIGNED_IN } from './sign-in-texts.ts'
import type { MfaMethod, MfaFactor } from './mfa-methods.ts'
import { mfaForm } from './mfa-forms.ts'

type SecondStepFormProps = {
  next: string
  way: Exclude<MfaMethod, { kind: 'phone' } | { kind: 'key' }>
  error?: string | undefined
}

/** Verifies the second factor; before hydration the browser submits the form to the page's action. */
export function MfaForm({ next, way, error: refused }: SecondStepFormProps) {
  const recovery = way.kind === 'recovery'
  const factors = way.kind === 'app' ? way.factors : []
  const navigate = useNavigate()
  const [error, setError] = useState(refused)
  const [busy, setBusy] = useState(false)

  async function submit(form: HTMLFormElement) {
    const read = readFields(mfaForm, Object.fromEntries(new FormData(form)))
    setError(read.errors?.['code'])
    if (!read.value) return
    const { code, factor = '' } = read.value
    setBusy(true)
    const { failure } = await (recovery ? passWithRecoveryCode(code) : verifyMfa(factor, code))
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
      {recovery ? <input type="hidden" name="recovery" value="1" /> : <FactorChoice label="Authenticator" factors={factors} />}
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

/** Asks which of several factors to use; a single one is sent without asking. */
export function FactorChoice({ label, factors }: { label: string; factors: readonly MfaFactor[] }) {
  if (factors.length <= 1) return <input type="hidden" name="factor" value={factors[0]?.id} />
  return (
    <Field label={label} name="factor">
      <Select>
        {factors.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Select>
    </Field>
  )
}
