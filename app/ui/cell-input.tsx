import { cx } from './class-names.ts'

type CellInputProps = Omit<React.ComponentProps<'input'>, 'aria-label'> & {
  /** The heads of the row and of the column in one: nothing else names it. */
  label: string
  error?: string | undefined
}

/** A field in a cell of a table. Its name is read out, for the heads of the table show it. */
export function CellInput({ label, error, className, ...rest }: CellInputProps) {
  return (
    <span className="grid gap-1">
      <input
        type="text"
        autoComplete="off"
        {...rest}
        aria-label={label}
        aria-invalid={error ? true : undefined}
        className={cx(
          'block min-h-9 w-full rounded-control border border-edge bg-surface px-2.5 text-small text-ink hover:border-ink aria-invalid:border-alarm pointer-coarse:min-h-11',
          className,
        )}
      />
      {error && <span className="text-fine font-medium text-alarm">{error}</span>}
    </span>
  )
}

type CellCheckProps = { label: string; checked: boolean; onChange: (checked: boolean) => void }

/** Yes or no in a cell of a table. */
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
