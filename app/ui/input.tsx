import { CharacterCount, useCharacterCount } from './character-count.tsx'
import { cx } from './class-names.ts'
import { useFieldControl } from './field.tsx'

const box =
  'block w-full rounded-control border border-edge bg-surface px-(--field-x) text-body text-ink transition-colors hover:border-ink aria-invalid:border-alarm focus-visible:outline-offset-0 focus-visible:rounded-control'

type Given = 'id' | 'name' | 'required' | 'disabled' | 'maxLength' | 'ref' | 'onInput'

/** In characters; the server refuses a longer text. */
type Most = { most?: number }

/** Uncontrolled by default: give it a `defaultValue`. */
export function Input({ className, most, ...rest }: Omit<React.ComponentProps<'input'>, Given> & Most) {
  const { control, count } = useCountedControl<HTMLInputElement>(most, rest)
  return (
    <>
      <input type="text" {...rest} {...control} className={cx(box, 'min-h-(--control) py-(--field-y)', className)} />
      <CharacterCount {...count} />
    </>
  )
}

export function Textarea({ className, most, ...rest }: Omit<React.ComponentProps<'textarea'>, Given> & Most) {
  const { control, count } = useCountedControl<HTMLTextAreaElement>(most, rest)
  return (
    <>
      <textarea {...rest} {...control} className={cx(box, 'min-h-36 resize-y py-2.5 field-sizing-content', className)} />
      <CharacterCount {...count} />
    </>
  )
}

function useCountedControl<Element extends HTMLInputElement | HTMLTextAreaElement>(
  most: number | undefined,
  given: { value?: unknown; defaultValue?: unknown },
) {
  const field = useFieldControl()
  const { watch, count } = useCharacterCount<Element>(most, given)
  const id = `${field.id}-count`
  const describedBy = [field['aria-describedby'], count && id].filter(Boolean).join(' ') || undefined
  return { control: { ...field, ...watch, 'aria-describedby': describedBy }, count: { id, count } }
}

/** Give it `<option>`s; the first may be `<option value="">` with a prompt. */
export function Select(props: Omit<React.ComponentProps<'select'>, Given>) {
  return <BareSelect {...props} {...useFieldControl()} />
}

/** A `Select` outside of a `Field`, such as in a cell of a table: give it its own label. */
export function BareSelect({ className, children, ...rest }: React.ComponentProps<'select'>) {
  return (
    <span className="relative block grow">
      <select {...rest} className={cx(box, 'min-h-(--control) appearance-none py-(--field-y) pr-10', className)}>
        {children}
      </select>
      <svg viewBox="0 0 12 8" aria-hidden="true" className="pointer-events-none absolute top-1/2 right-3.5 w-3 -translate-y-1/2 text-muted">
        <path d="m1 1.5 5 5 5-5" fill="none" stroke="currentColor" strokeWidth="1.75" strokeLinecap="round" strokeLinejoin="round" />
      </svg>
    </span>
  )
}
