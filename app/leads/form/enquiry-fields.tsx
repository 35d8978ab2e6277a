import { Field } from '#app/ui/field.tsx'
import { Input, Select, Textarea } from '#app/ui/input.tsx'
import { enquiryLimits } from '#app/leads/lead/enquiry-limits.ts'
import { budgets, countries, timeframes } from '#app/content/contact-options.ts'
import { enquiryFields as words } from '#app/content/enquiry.ts'
import type { FieldOf } from './enquiry-form.tsx'

type FieldProps = ReturnType<FieldOf>

export function NameField({ name, error, start }: FieldProps) {
  return (
    <Field {...words.name} name={name} error={error}>
      <Input autoComplete="name" most={enquiryLimits.name} defaultValue={start} />
    </Field>
  )
}

export function EmailField({ name, error, start }: FieldProps) {
  return (
    <Field {...words.email} name={name} error={error}>
      <Input type="email" autoComplete="email" spellCheck={false} most={enquiryLimits.email} defaultValue={start} />
    </Field>
  )
}

/** Free text; the list only suggests. */
export function CountryField({ name, error, start }: FieldProps) {
  return (
    <Field {...words.country} name={name} error={error}>
      <Input autoComplete="country-name" list="countries" most={enquiryLimits.country} defaultValue={start} />
      <datalist id="countries">
        {countries
          .filter((country) => country !== 'Other')
          .map((country) => (
            <option key={country}>{country}</option>
          ))}
      </datalist>
    </Field>
  )
}

/** Free text in one line. */
export function ProblemField({ name, error, start }: FieldProps) {
  return (
    <Field {...words.problem} name={name} error={error}>
      <Input most={enquiryLimits.problem} defaultValue={start} />
    </Field>
  )
}

export function MessageField({ name, error, start }: FieldProps) {
  return (
    <Field {...words.message} name={name} error={error}>
      <Textarea rows={6} className="min-h-36" most={enquiryLimits.message} defaultValue={start} />
    </Field>
  )
}

type SelectFieldProps = FieldProps & {
  label: string
  /** The label of the empty choice. */
  ask: string
  options: readonly (string | { readonly value: string; readonly label: string })[]
  optional?: boolean
}

export function SelectField({ name, error, start, label, ask, options, optional = false }: SelectFieldProps) {
  return (
    <Field label={label} name={name} error={error} optional={optional}>
      <Select defaultValue={start ?? ''}>
        <option value="">{ask}</option>
        {options
          .map((option) => (typeof option === 'string' ? { value: option, label: option } : option))
          .map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
      </Select>
    </Field>
  )
}

/** Budget and timeframe, both optional. */
export function ScopeFields({ field }: { field: FieldOf }) {
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <SelectField {...field('budget')} {...words.budget} options={budgets} optional />
      <SelectField {...field('timeframe')} {...words.timeframe} options={timeframes} optional />
    </div>
  )
}

type LongFieldProps = FieldProps & { label: string; hint: string; rows: number; most: number }

/** Several lines. */
export function LongField({ name, error, start, label, hint, rows, most }: LongFieldProps) {
  return (
    <Field label={label} name={name} error={error} hint={hint}>
      <Textarea rows={rows} most={most} defaultValue={start} />
    </Field>
  )
}
