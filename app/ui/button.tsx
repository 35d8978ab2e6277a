import { type ButtonLook, buttonLook, type ButtonSize } from './button-look.ts'

export type ButtonProps = React.ComponentProps<'button'> & {
  look?: ButtonLook
  size?: ButtonSize
  disabled?: never
  /** Why it cannot be pressed. There is no way to disable a button without saying why. It keeps its place in the tab order, so that all can read the reason. */
  unavailable?: string
  /** What it started is under way; its label says so ('Sending...'). */
  busy?: boolean
}

/** A button is `type="submit"` unless it says otherwise, as in HTML. */
export function Button({ look, size, unavailable, busy = false, className, onClick, ...rest }: ButtonProps) {
  const classes = buttonLook(busy || unavailable ? 'inert' : look, size, className)
  if (!unavailable) return <button {...rest} disabled={busy} aria-busy={busy || undefined} onClick={onClick} className={classes} />
  return (
    <button
      {...rest}
      aria-disabled="true"
      // Part of ARIA 1.3, which the rules of the linter do not know yet.
      // oxlint-disable-next-line jsx-a11y/role-supports-aria-props
      aria-description={unavailable}
      data-reason={unavailable}
      onClick={(event) => event.preventDefault()}
      className={classes}
    />
  )
}
