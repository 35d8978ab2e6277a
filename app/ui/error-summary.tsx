type ErrorSummaryProps = {
  id?: string
  /** By field name, in the order of the form. */
  errors: Readonly<Record<string, string>>
  /** The id of a field's control. */
  idOf?: (name: string) => string
  /** Goes to a field whose control has another id. */
  open?: (name: string) => void
}

const fieldId = (name: string) => `field-${name}`

/** The errors of a form, each with a link to its field. Renders nothing without errors. */
export function ErrorSummary({ id, errors, idOf = fieldId, open }: ErrorSummaryProps) {
  const entries = Object.entries(errors)
  if (entries.length === 0) return null
  return (
    <section
      id={id}
      tabIndex={-1}
      data-errors=""
      // Counts where a page loads again with its form; what a script adds is not focused by it.
      // oxlint-disable-next-line jsx-a11y/no-autofocus -- The person has just sent the form.
      autoFocus
      aria-label="Errors to correct"
      className="rounded-card border border-alarm bg-alarm-wash p-4"
    >
      <p className="text-small font-semibold">
        {entries.length === 1 ? 'Please correct one thing' : `Please correct ${entries.length} things`}
      </p>
      <ul className="mt-1 grid">
        {entries.map(([name, sentence]) => (
          <li key={name}>
            <a
              href={`#${idOf(name)}`}
              onClick={(event) => {
                if (!open) return
                event.preventDefault()
                open(name)
              }}
              className="link inline-block py-2.5 text-small sm:py-1"
            >
              {sentence}
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
