import { useEffect, useRef } from 'react'
import { Field } from '#app/ui/field.tsx'
import { Input } from '#app/ui/input.tsx'
import { useView } from './use-view.tsx'

/** Milliseconds between the last key and the request. */
const TYPING_PAUSE = 250

/** A search whose value is in the URL under its name. */
export function SearchField({ name, label, placeholder }: { name: string; label: string; placeholder: string }) {
  const { params, change } = useView()
  const field = useRef<HTMLInputElement>(null)
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined)
  const value = params.get(name) ?? ''

  useEffect(() => {
    // The back button changes the URL; while the field has the focus, the typed text wins.
    if (field.current && document.activeElement !== field.current) field.current.value = value
  }, [value])

  return (
    <search
      onInput={() => {
        clearTimeout(pause.current)
        pause.current = setTimeout(() => change({ [name]: field.current?.value.trim() }, { replace: true }), TYPING_PAUSE)
      }}
    >
      <Field label={label} name={name} tool>
        <Input ref={field} type="search" defaultValue={value} placeholder={placeholder} maxLength={200} autoComplete="off" />
      </Field>
    </search>
  )
}
