import { Field } from '#app/ui/field.tsx'
import { Input, Textarea } from '#app/ui/input.tsx'
import { postLabels } from '#app/blog/posts/post.ts'
import type { PostFields } from './post-fields.ts'
import type { PostFormState } from './use-post-form.tsx'

type TextName = { [Name in keyof PostFields]: PostFields[Name] extends string ? Name : never }[keyof PostFields]

type TextFieldProps = {
  form: PostFormState
  name: TextName
  hint?: React.ReactNode
  optional?: boolean
  /** Allows several lines. */
  long?: boolean
  placeholder?: string
  className?: string
}

export function PostTextField({ form, name, hint, optional = false, long = false, placeholder, className }: TextFieldProps) {
  const given = {
    value: form.fields[name],
    autoComplete: 'off',
    placeholder,
    className,
    onChange: (event: { target: { value: string } }) => form.change({ [name]: event.target.value }),
  }
  return (
    <Field label={postLabels[name]} name={name} error={form.errors[name]} hint={hint} optional={optional}>
      {long ? <Textarea {...given} /> : <Input {...given} />}
    </Field>
  )
}
