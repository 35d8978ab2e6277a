import { Field } from '#app/ui/field.tsx'
import { Select } from '#app/ui/input.tsx'
import type { MfaFactor } from './mfa-methods.ts'

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
