import { useEffect, useRef } from 'react'

/** Moves the focus to the first invalid field of a form, once it is marked. */
export function useFocusOnErrors(errors: Record<string, string>) {
  const element = useRef<HTMLFormElement>(null)
  const count = useRef(0)
  useEffect(() => {
    const isWorse = Object.keys(errors).length > count.current
    count.current = Object.keys(errors).length
    if (isWorse) element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [errors])
  return element
}
