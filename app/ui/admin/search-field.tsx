import { SearchIcon, XIcon } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { cx } from '#app/ui/class-names.ts'
import { useView } from './use-view.tsx'

/** Milliseconds between the last key and the request. */
const TYPING_PAUSE = 250

type SearchFieldProps = {
  /** Its name in the URL. */
  name: string
  /** The accessible name. */
  label: string
  placeholder: string
  className?: string
}

/** A search whose value is in the URL under its name. Escape, or the button at its end, empties it. */
export function SearchField({ name, label, placeholder, className }: SearchFieldProps) {
  const { params, change } = useView()
  const field = useRef<HTMLInputElement>(null)
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined)
  const value = params.get(name) ?? ''
  const [isEmpty, setEmpty] = useState(value === '')

  useEffect(() => {
    // The back button changes the URL; while the field has the focus, the typed text wins.
    if (!field.current || document.activeElement === field.current) return
    field.current.value = value
    setEmpty(value === '')
  }, [value])

  function onInput() {
    setEmpty(field.current?.value === '')
    clearTimeout(pause.current)
    pause.current = setTimeout(() => change({ [name]: field.current?.value.trim() }, { replace: true }), TYPING_PAUSE)
  }

  function clear() {
    if (!field.current) return
    field.current.value = ''
    field.current.focus()
    onInput()
  }

  return (
    <search className={cx('relative block min-w-48 grow basis-48', className)} onInput={onInput}>
      <SearchIcon aria-hidden="true" className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-muted" />
      <input
        ref={field}
        type="search"
        name={name}
        id={`field-${name}`}
        aria-label={label}
        defaultValue={value}
        placeholder={placeholder}
        autoComplete="off"
        onKeyDown={(event) => event.key === 'Escape' && !isEmpty && (event.preventDefault(), clear())}
        className="block min-h-(--control) w-full rounded-control border border-edge bg-surface pr-9 pl-9 placeholder-shown:pr-3 text-body text-ink transition-colors hover:border-ink focus-visible:rounded-control focus-visible:outline-offset-0"
      />
      {!isEmpty && (
        <button
          type="button"
          aria-label={`Clear ${label.toLowerCase()}`}
          onClick={clear}
          className="absolute top-1/2 right-1 grid size-7 -translate-y-1/2 place-items-center rounded-control text-muted hover:text-ink focus-visible:-outline-offset-2 pointer-coarse:size-10"
        >
          <XIcon aria-hidden="true" className="size-4" />
        </button>
      )}
    </search>
  )
}
