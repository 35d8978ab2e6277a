import { Field } from '#app/ui/field.tsx'
import { Input, Textarea } from '#app/ui/input.tsx'
import type { ProductFields } from './product-fields.ts'
import type { ProductFormState } from './use-product-form.tsx'

type TextName = { [Name in keyof ProductFields]: ProductFields[Name] extends string ? Name : never }[keyof ProductFields]

type TextFieldProps = {
  form: ProductFormState
  name: TextName
  label: string
  hint?: React.ReactNode
  optional?: boolean
  /** A multi-line field. */
  long?: boolean
  /** Suggested values. */
  list?: readonly string[]
  placeholder?: string
  inputMode?: 'decimal' | 'url'
  className?: string
}

export function ProductTextField({ form, name, label, hint, optional = false, long = false, list, ...rest }: TextFieldProps) {
  const given = {
    ...rest,
    value: form.fields[name],
    autoComplete: 'off',
    onChange: (event: { target: { value: string } }) => form.change({ [name]: event.target.value }),
  }
  return (
    <Field label={label} name={name} error={form.errors[name]} hint={hint} optional={optional}>
      {long ? <Textarea {...given} /> : <Input {...given} list={list && `known-${name}`} />}
      {list && (
        <datalist id={`known-${name}`}>
          {list.map((value) => (
            <option key={value} value={value} aria-label={value} />
          ))}
        </datalist>
      )}
    </Field>
  )
}
