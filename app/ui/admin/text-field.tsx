import { Field } from '#app/ui/field.tsx'
import { Input, Textarea } from '#app/ui/input.tsx'

type TextFieldProps<Name extends string> = {
  form: {
    fields: Readonly<Record<Name, string>>
    errors: Readonly<Record<string, string>>
    change: (change: Record<string, string>) => void
  }
  name: Name
  label: string
  hint?: React.ReactNode
  optional?: boolean
  /** Allows several lines. */
  long?: boolean
  /** Suggested values. */
  list?: readonly string[]
  placeholder?: string
  inputMode?: 'decimal' | 'url'
  /** It has the focus when the form opens. */
  isFirst?: boolean
  className?: string
  /** In characters; the server refuses a longer text. */
  most?: number
}

/** A text of a form with `useEditForm`. */
export function TextField<Name extends string>({
  form,
  name,
  label,
  hint,
  optional = false,
  long = false,
  list,
  isFirst = false,
  ...rest
}: TextFieldProps<Name>) {
  const given = {
    ...rest,
    value: form.fields[name],
    autoComplete: 'off',
    autoFocus: isFirst,
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
