import { Link, type LinkProps } from 'react-router'
import { type ButtonLook, buttonLook, type ButtonSize } from './button-look.ts'

type ButtonLinkProps = Omit<LinkProps, 'className'> & { look?: ButtonLook; size?: ButtonSize; className?: string }

/** A link that looks like a button, because following it is the main action. */
export function ButtonLink({ look, size, className, ...rest }: ButtonLinkProps) {
  return <Link {...rest} className={buttonLook(look, size, className)} />
}
