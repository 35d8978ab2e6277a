import { cx } from './class-names.ts'

export type ButtonLook = 'primary' | 'quiet' | 'danger'
export type ButtonSize = 'small' | 'regular' | 'large'

const looks: Record<ButtonLook | 'inert', string> = {
  primary: 'bg-grain text-on-grain border-transparent hover:bg-grain-strong',
  quiet: 'bg-surface text-ink border-edge hover:border-ink',
  danger: 'bg-alarm text-on-alarm border-transparent hover:opacity-90',
  inert: 'bg-sunken text-muted border-line cursor-not-allowed',
}

/** Their heights are tokens: lower in the workspace, and 44 px at least on touch screens. `small` is for table rows and toolbars. */
const sizes: Record<ButtonSize, string> = {
  small: 'min-h-(--control-small) px-3 text-small',
  regular: 'min-h-(--control) px-(--control-x) py-1 text-small',
  large: 'min-h-13 px-5 sm:px-7 py-2 text-body',
}

/** The classes of a button, also for links. */
export function buttonLook(look: ButtonLook | 'inert' = 'primary', size: ButtonSize = 'regular', more?: string): string {
  return cx(
    'inline-flex items-center justify-center gap-2 rounded-control border font-semibold leading-tight text-center text-balance no-underline transition-colors',
    looks[look],
    sizes[size],
    more,
  )
}
