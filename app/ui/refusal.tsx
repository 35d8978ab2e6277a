/**
 * The sentence of a refused form, on a page that has loaded again. It takes the focus, because an alert that is there from the start is not
 * announced.
 */
export function Refusal({ children }: { children: React.ReactNode }) {
  return (
    <p
      role="alert"
      tabIndex={-1}
      // oxlint-disable-next-line jsx-a11y/no-autofocus -- The person has just sent the form.
      autoFocus
      className="rounded-card border border-alarm bg-alarm-wash p-4 font-semibold"
    >
      {children}
    </p>
  )
}
