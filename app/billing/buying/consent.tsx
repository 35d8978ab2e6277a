import { FieldError } from '#app/ui/field.tsx'

type ConsentProps = { name: string; isOn: boolean; error: string | undefined; children: React.ReactNode }

/** A box that has to be ticked, with its error. */
export function Consent({ name, isOn, error, children }: ConsentProps) {
  const id = `field-${name}`
  return (
    <div className="grid gap-1">
      <label className="flex min-h-11 items-center gap-3">
        <input
          id={id}
          type="checkbox"
          name={name}
          defaultChecked={isOn}
          aria-required="true"
          aria-invalid={error ? true : undefined}
          aria-describedby={error && `${id}-error`}
          className="size-5 shrink-0 accent-grain-text"
        />
        {children}
      </label>
      {error && (
        <FieldError id={`${id}-error`} name={name}>
          {error}
        </FieldError>
      )}
    </div>
  )
}
