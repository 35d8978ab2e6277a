import { countryNames } from '#app/content/country.ts'
import { numberText } from '#app/platform/text/english-number.ts'
import type { FormTexts } from '#app/ui/admin/use-form.ts'
import { Field } from '#app/ui/field.tsx'
import { Input, Select, Textarea } from '#app/ui/input.tsx'
import { factLooks, type OrganizationFact } from './organization.ts'

export type Known = Partial<Record<OrganizationFact, string | number | boolean | null>>

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
        <Textarea rows={3} defaultValue={String(value)} className="min-h-24" />
      ) : input === 'cents' ? (
        <Input defaultValue={typeof value === 'number' ? String(value / 100) : ''} inputMode="decimal" />
      ) : input === 'line' || input === 'number' ? (
        <Input defaultValue={String(value)} {...(input === 'number' && { inputMode: 'numeric' })} />
      ) : (
        <Select defaultValue={String(value)}>
          {optionsOf(input, String(value)).map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </Select>
      )}
    </Field>
  )
}

/** A value that programs have set, and that is none of the choices, stays. */
function optionsOf(input: 'country' | readonly { value: string; label: string }[], value: string) {
  const options = input === 'country' ? countryOptions() : input
  return options.some((option) => option.value === value) ? options : [...options, { value, label: value }]
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

/** The facts that are known, as people read them. */
export function shownFacts(names: readonly OrganizationFact[], known: Known): { label: string; text: string }[] {
  return names.flatMap((name) => {
    const text = textOf(name, known[name] ?? '')
    return text === '' ? [] : { label: factLooks[name].label, text }
  })
}

function textOf(name: OrganizationFact, value: string | number | boolean): string {
  const { input } = factLooks[name]
  if (value === '' || value === false) return ''
  if (input === 'flag') return 'Yes'
  if (input === 'country') return new Map(countryNames()).get(String(value)) ?? String(value)
  if (typeof value === 'number') return numberText(input === 'cents' ? value / 100 : value)
  return typeof input === 'string' ? String(value) : (input.find((option) => option.value === value)?.label ?? String(value))
}
