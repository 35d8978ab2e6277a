import { CharacterCount, useCharacterCount } from './character-count.tsx'
import { cx } from './class-names.ts'
import { useId } from 'react'

type CellInputProps = Omit<React.ComponentProps<'input'>, 'aria-label' | 'maxLength' | 'ref' | 'onInput'> & {
  /** The row and column headings in one: nothing else names the field. */
  label: string
  /** Needs the `name`, by which the summary of a form finds it. */
  error?: string | undefined
  /** In characters; the server refuses a longer text. */
  most?: number
}

/** A field in a table cell. Its label is only for screen readers, because the table shows its headings. */
export function CellInput({ label, error, most, className, ...rest }: CellInputProps) {
  const id = useId()
  const { watch, count } = useCharacterCount<HTMLInputElement>(most, rest)
  return (
    <span className="grid gap-1">
      <input
        type="text"
        autoComplete="off"
        {...rest}
        {...watch}
        aria-describedby={count && id}
        aria-label={label}
        aria-invalid={error ? true : rest['aria-invalid']}
        className={cx(
          'block min-h-(--control-small) w-full rounded-control border border-edge bg-surface px-2.5 text-small text-ink hover:border-ink aria-invalid:border-alarm',
          className,
        )}
      />
      <CharacterCount id={id} count={count} />
      {error && (
        <span data-error={rest.name} className="text-fine font-medium text-alarm">
          {error}
        </span>
      )}
    </span>
  )
}

type CellCheckProps = { label: string; checked: boolean; onChange: (checked: boolean) => void }

/** A checkbox in a table cell. */
export function CellCheck({ label, checked, onChange }: CellCheckProps) {
  return (
    <span className="grid size-9 place-items-center pointer-coarse:size-11">
      <input
        type="checkbox"
        aria-label={label}
        checked={checked}
        onChange={({ target }) => onChange(target.checked)}
        className="size-5 accent-leaf"
      />
    </span>
  )
}
