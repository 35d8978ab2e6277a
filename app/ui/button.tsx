import { type ButtonLook, buttonLook, type ButtonSize } from './button-look.ts'
import { useIsLive } from './use-is-live.ts'

export type ButtonProps = React.ComponentProps<'button'> & {
  look?: ButtonLook
  size?: ButtonSize
  disabled?: never
  /**
   * The reason why it is unavailable. A button cannot be disabled without a reason. It stays in the tab order, so everyone can read the
   * reason.
   */
  unavailable?: string
  /** The action is running; the label says so ('Sending...'). */
  busy?: boolean
  /** Its form works only on a live page. A `type="button"` always needs one, unless it opens a popover. */
  needsScript?: boolean
}

/** A button is `type="submit"` unless it says otherwise, as in HTML. */
export function Button({ look, size, unavailable, busy = false, needsScript, className, onClick, ...rest }: ButtonProps) {
  const isLive = useIsLive()
  const awaits = !isLive && (needsScript ?? (rest.type === 'button' && !rest.popoverTarget))
  const isInert = busy || Boolean(unavailable)
  return (
    <button
      {...rest}
      disabled={awaits && !unavailable}
      // A disabled button would lose the focus, and with it the place of everyone who uses the keyboard.
      aria-disabled={isInert || undefined}
      aria-busy={(busy && !unavailable) || undefined}
      // Part of ARIA 1.3, which the linter's rules do not know yet.
      // oxlint-disable-next-line jsx-a11y/role-supports-aria-props
      aria-description={unavailable}
      data-reason={unavailable}
      onClick={isInert ? (event) => event.preventDefault() : onClick}
      className={buttonLook(isInert ? 'inert' : look, size, className)}
    />
  )
}
