import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { ErrorSummary } from '#app/ui/error-summary.tsx'
import { FormContext } from '#app/ui/field.tsx'
import { LeaveWarning } from './leave-warning.tsx'
import type { FormState, FormTexts } from './use-form.ts'

type FormProps = Omit<React.ComponentProps<'form'>, 'form' | 'onSubmit' | 'onInput' | 'method' | 'noValidate'> & {
  form: FormState
  /** For what else needs it. */
  element?: React.RefObject<HTMLFormElement | null>
  /** Names the field of an error in the summary, for sentences that do not name it; empty for the others. */
  placeOf?: (name: string) => string
  /** Goes to the field of an error, where the form may not show it yet. */
  open?: (name: string) => void
  /** Empties the inputs after a save. */
  resets?: boolean
  /** Told when the inputs differ from what is stored. Without it, the form itself asks before they are left. */
  onChanged?: (isChanged: boolean) => void
}

/** A form of the workspace: errors are summed up and at their fields, and unsaved changes are not lost by leaving. */
export function Form({ form, element: given, placeOf, open, resets = false, onChanged, children, ...rest }: FormProps) {
  const { errors, isSaving } = form
  const own = useRef<HTMLFormElement>(null)
  const element = given ?? own
  const isLoose = useFocusOnRefusal(element, form)
  const [isTyped, setTyped] = useTyped(element, form.saves, resets)
  const isChanged = form.isChanged ?? isTyped
  // Before the next key: Escape right after typing asks first.
  useLayoutEffect(() => onChanged?.(isChanged), [onChanged, isChanged])
  const context = useMemo(() => ({ errors, isSaving }), [errors, isSaving])
  return (
    <form
      method="post"
      noValidate
      {...rest}
      ref={element}
      onInput={({ target }) => {
        setTyped()
        if ('name' in target && typeof target.name === 'string') form.edited(target.name)
      }}
      onSubmit={(event) => {
        event.preventDefault()
        const given = new FormData(event.currentTarget)
        form.onSubmit(textsOf(given), given)
      }}
    >
      <FormContext value={context}>
        {(isLoose || Object.keys(errors).length > 1) && (
          <ErrorSummary errors={placeOf ? withPlaces(errors, placeOf) : errors} open={open ?? ((name) => focusOn(element.current, name))} />
        )}
        {children}
      </FormContext>
      {!onChanged && <LeaveWarning isChanged={isChanged && !isSaving} />}
    </form>
  )
}

function withPlaces(errors: FormState['errors'], placeOf: (name: string) => string) {
  return Object.fromEntries(
    Object.entries(errors).map(([name, sentence]) => {
      const place = placeOf(name)
      return [name, place ? `${place}: ${sentence}` : sentence]
    }),
  )
}

/** Moves the focus to the first invalid field, or to the summary. Returns whether there is an error that no field shows. */
function useFocusOnRefusal(element: React.RefObject<HTMLFormElement | null>, { errors, refusals }: FormState): boolean {
  const [looseAt, setLooseAt] = useState(0)
  useEffect(() => {
    if (refusals === 0) return undefined
    const field = element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')
    field?.focus()
    if (field) return undefined
    const frame = requestAnimationFrame(() => setLooseAt(refusals))
    return () => cancelAnimationFrame(frame)
  }, [element, refusals])
  useEffect(() => {
    if (looseAt > 0) element.current?.querySelector<HTMLElement>('[data-errors]')?.focus()
  }, [element, looseAt])
  return looseAt === refusals && Object.keys(errors).length > 0
}

/** Goes to the control of a field, or to the first one that is wrong. */
function focusOn(form: HTMLFormElement | null, name: string) {
  const error = form?.querySelector(`[data-error="${CSS.escape(name)}"]`)
  // An empty list has only its button.
  const place = error?.parentElement
  const invalid = '[aria-invalid="true"]'
  const control =
    place?.querySelector<HTMLElement>(invalid) ??
    place?.querySelector<HTMLElement>('input, select, textarea') ??
    place?.querySelector('button')
  const wrong = form?.querySelector<HTMLElement>(invalid)
  const found = control ?? wrong
  found?.focus()
}

/** Whether the inputs differ from those of the last save. */
function useTyped(element: React.RefObject<HTMLFormElement | null>, saves: number, resets: boolean): [boolean, () => void] {
  // The count of saves at which they differed.
  const [typedAt, setTypedAt] = useState<number>()
  const stored = useRef('')
  useEffect(() => {
    if (!element.current) return
    if (saves > 0 && resets) element.current.reset()
    stored.current = inputsOf(element.current)
  }, [element, saves, resets])
  const onInput = () => setTypedAt(element.current && inputsOf(element.current) !== stored.current ? saves : undefined)
  return [typedAt === saves, onInput]
}

function inputsOf(form: HTMLFormElement): string {
  return JSON.stringify(
    Array.from(form.elements, (control) => {
      // The browser may fill in a password that nobody typed.
      if (control instanceof HTMLInputElement) return control.type === 'password' ? null : [control.value, control.checked]
      return control instanceof HTMLTextAreaElement || control instanceof HTMLSelectElement ? control.value : null
    }).filter((value) => value !== null),
  )
}

function textsOf(form: FormData): FormTexts {
  return Object.fromEntries([...form].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])))
}
