import type { LinkProps } from 'react-router'
import { ButtonLink } from './button-link.tsx'
import { cx } from './class-names.ts'

type Way = { to: LinkProps['to']; label: string }
type ClosingCallProps = {
  title: string
  text: string
  ways: readonly [Way, Way]
  className?: string
  /** Below the sentence. */ children?: React.ReactNode
}

/** The end of a page, with two links to go on. */
export function ClosingCall({ title, text, ways: [first, second], className, children }: ClosingCallProps) {
  return (
    <section className={cx('rounded-card bg-sunken p-8 sm:p-12 print:hidden', className)}>
      <h2 className="max-w-[24ch]">{title}</h2>
      <p className="mt-3 max-w-[56ch] text-muted">{text}</p>
      {children}
      <div className="mt-8 flex flex-wrap gap-3">
        <ButtonLink to={first.to} size="large">
          {first.label}
        </ButtonLink>
        <ButtonLink to={second.to} look="quiet" size="large">
          {second.label}
        </ButtonLink>
      </div>
    </section>
  )
}
