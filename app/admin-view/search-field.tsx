import { useEffect, useRef } from 'react'
import { Field } from '#app/ui/field.tsx'
import { Input } from '#app/ui/input.tsx'
import { useView } from './use-view.tsx'

/** Milliseconds after the last key before the server is asked. */
const TYPING_PAUSE = 250

/** A search that stands in the address under its name. */
export function SearchField({ name, label, placeholder }: { name: string; label: string; placeholder: string }) {
  const { params, change } = useView()
  const field = useRef<HTMLInputElement>(null)
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined)
  const value = params.get(name) ?? ''

  useEffect(() => {
    // The back button changes the address; while someone types, what they type is right.
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
