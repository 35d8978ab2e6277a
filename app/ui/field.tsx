import { createContext, use, useMemo } from 'react'

/** The state that a form shares with its fields and its button. Forms of public pages have none: they give each field its error. */
export const FormContext = createContext<{ errors: Readonly<Record<string, string>>; isSaving: boolean }>({ errors: {}, isSaving: false })

type FieldState = { id: string; name: string; describedBy: string | undefined; invalid: boolean; required: boolean }

const FieldContext = createContext<FieldState | undefined>(undefined)

type FieldProps = {
  label: string
  name: string
  /** Shown below the control and read out with it; the control is then marked as invalid. A `Form` gives its fields their errors. */
  error?: string | undefined
  hint?: React.ReactNode
  /** A field is required by default. */
  optional?: boolean
  /** Part of a tool, such as a filter: not marked as required or optional. Its label is beside it, or above it if `stacked`. */
  tool?: boolean | 'stacked'
  /** Said, not shown: the control is as plain as a headline or a page. */
  hiddenLabel?: boolean
  /** Needed only where two forms of one page have a field of the same name. */
  id?: string
  /** One `Input`, `Textarea` or `Select`: it gets its name, id and descriptions from here. */
  children: React.ReactNode
}

/** A labeled control with its hint and its error. The form around it has `noValidate`: our error texts are shown, not the browser's. */
export function Field({
  label,
  name,
  error: given,
  hint,
  optional = false,
  tool = false,
  hiddenLabel = false,
  id = `field-${name}`,
  children,
}: FieldProps) {
  const { errors } = use(FormContext)
  const error = given ?? errors[name]
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ') || undefined
  const invalid = Boolean(error)
  const field = useMemo(
    () => ({ id, name, describedBy, invalid, required: !optional && tool === false }),
    [id, name, describedBy, invalid, optional, tool],
  )
  return (
    <FieldContext value={field}>
      <div className={tool === true && !hint ? 'tool-field' : 'grid content-start gap-1.5'}>
        <label
          htmlFor={id}
          className={
            hiddenLabel ? 'sr-only' : tool === true ? 'tool' : 'flex items-baseline justify-between gap-3 text-small font-semibold'
          }
        >
          {label}
          {optional && <span className="text-fine font-normal text-muted">optional</span>}
        </label>
        {hint && (
          <p id={`${id}-hint`} className="text-small text-muted">
            {hint}
          </p>
        )}
        {children}
        {error && (
          <FieldError id={`${id}-error`} name={name}>
            {error}
          </FieldError>
        )}
      </div>
    </FieldContext>
  )
}

/** The attributes of a control inside a `Field`. */
export function useFieldControl() {
  const field = use(FieldContext)
  if (!field) throw new Error('A control stands inside of a Field, which gives it its label.')
  return {
    id: field.id,
    name: field.name,
    'aria-describedby': field.describedBy,
    'aria-invalid': field.invalid || undefined,
    'aria-required': field.required || undefined,
  }
}

type FieldErrorProps = {
  id?: string | undefined
  /** Of the error: the summary of a form finds the control before it by this name. */
  name: string
  children: React.ReactNode
}

/** The error of a control that is no `Field`, below it. */
export function FieldError({ id, name, children }: FieldErrorProps) {
  return (
    <p id={id} data-error={name} className="col-span-full flex items-start gap-1.5 text-small font-medium text-alarm">
      <ErrorMark />
      {children}
    </p>
  )
}

function ErrorMark() {
  return (
    <svg viewBox="0 0 16 16" aria-hidden="true" className="mt-1 size-3.5 shrink-0 fill-current">
      <path d="M8 0a8 8 0 1 0 0 16A8 8 0 0 0 8 0Zm-1 4h2v5H7V4Zm0 6.5h2v2H7v-2Z" />
    </svg>
  )
}
