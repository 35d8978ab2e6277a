import { useState } from 'react'
import { useNavigate } from 'react-router'
import { signInAgain } from '#app/account/session/signed-out.ts'
import { passWithSecurityKey } from '#app/account/session/passkey-auth.ts'
import { isSessionOver } from '#app/account/session/session-over.ts'
import { LiveForm } from './live-form.tsx'
import { SIGNED_IN } from './sign-in-texts.ts'
import { Button } from '#app/ui/button.tsx'
import { Field } from '#app/ui/field.tsx'
import { Select } from '#app/ui/input.tsx'
import { toast } from '#app/ui/toast.ts'
import type { MfaFactor } from './mfa-methods.ts'

/** Verifies a security key as the second factor, which needs the live page. */
export function SecurityKeyForm({ next, factors }: { next: string; factors: MfaFactor[] }) {
  const navigate = useNavigate()
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)

  async function submit(form: HTMLFormElement) {
    const chosen = new FormData(form).get('factor')
    setBusy(true)
    setError(undefined)
    const { failure } = await passWithSecurityKey(typeof chosen === 'string' ? chosen : '')
    setBusy(false)
    if (!failure) {
      toast(SIGNED_IN)
      return navigate(next, { replace: true })
    }
    if (isSessionOver(failure)) signInAgain()
    setError(failure.message)
  }

  return (
    <LiveForm submit={submit}>
      {factors.length > 1 ? (
        <Field label="Security key" name="factor">
          <Select>
            {factors.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        </Field>
      ) : (
        <input type="hidden" name="factor" value={factors[0]?.id} />
      )}
      {error && (
        <p role="alert" className="text-small text-alarm">
          {error}
        </p>
      )}
      <Button busy={busy}>{busy ? 'Follow your browser...' : 'Use security key'}</Button>
      <noscript>
        <p className="text-small text-muted">A security key needs JavaScript. Use another method below, or turn JavaScript on.</p>
      </noscript>
    </LiveForm>
  )
}
