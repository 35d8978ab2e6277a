import { countryNames } from '#app/content/country.ts'
import type { FormTexts } from '#app/ui/admin/use-form.ts'
import { Field } from '#app/ui/field.tsx'
import { Input, Select, Textarea } from '#app/ui/input.tsx'
import { factLooks, type OrganizationFact } from './organization.ts'

type Known = Partial<Record<OrganizationFact, string | number | boolean | null>>

/** A field for each declared fact. */
export function FactFields({ names, known }: { names: readonly OrganizationFact[]; known: Known }) {
  return names.map((name) => <FactField key={name} name={name} value={known[name] ?? ''} />)
}

function FactField({ name, value }: { name: OrganizationFact; value: string | number | boolean }) {
  const { label, input, hint } = factLooks[name]
  if (input === 'flag') {
    return (
      <label className="flex min-h-11 items-center gap-3 text-small">
        <input type="checkbox" name={name} defaultChecked={value === true} className="size-5 shrink-0 accent-grain-text" />
        {label}
      </label>
    )
  }
  return (
    <Field label={label} name={name} optional={name !== 'name'} hint={hint}>
      {input === 'lines' ? (
        <Textarea rows={3} defaultValue={String(value)} />
      ) : input === 'cents' ? (
        <Input defaultValue={typeof value === 'number' ? String(value / 100) : ''} inputMode="decimal" />
      ) : input === 'line' || input === 'number' ? (
        <Input defaultValue={String(value)} {...(input === 'number' && { inputMode: 'numeric' })} />
      ) : (
        <Select defaultValue={String(value)}>
          {(input === 'country' ? countryOptions() : input).map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </Select>
      )}
    </Field>
  )
}

function countryOptions() {
  return [{ value: '', label: 'Not specified' }, ...countryNames().map(([value, label]) => ({ value, label }))]
}

/** Reads facts from a form. Text in a number field becomes NaN, which the schema refuses. */
export function readFacts(names: readonly OrganizationFact[], texts: FormTexts, given: FormData): Record<string, unknown> {
  return Object.fromEntries(
    names.map((name) => {
      const { input } = factLooks[name]
      const text = texts[name]?.trim() ?? ''
      if (input === 'flag') return [name, given.has(name)]
      if (input === 'number') return [name, text === '' ? null : Number(text)]
      if (input === 'cents') return [name, text === '' ? null : Math.round(Number(text.replaceAll(',', '')) * 100)]
      return [name, texts[name] ?? '']
    }),
  )
}

/** Facts as people read them. */
export function shownFacts(names: readonly OrganizationFact[], known: Known): { label: string; text: string }[] {
  const countries = new Map(countryNames())
  return names.map((name) => {
    const { label, input } = factLooks[name]
    const value = known[name] ?? ''
    if (input === 'flag') return { label, text: value ? 'Yes' : 'No' }
    if (input === 'country') return { label, text: countries.get(String(value)) ?? String(value) }
    if (typeof input !== 'string') return { label, text: input.find((option) => option.value === value)?.label ?? String(value) }
    return { label, text: String(value) }
  })
}
