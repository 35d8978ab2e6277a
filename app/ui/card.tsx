import { cx } from './class-names.ts'

type CardProps = React.HTMLAttributes<HTMLElement> & {
  as?: 'div' | 'section' | 'article' | 'li' | 'figure' | 'dl'
  /** The padding; `none` for a card that holds a table or a pane. */
  pad?: 'none' | 'regular' | 'roomy'
}

const pads = { none: 'overflow-hidden', regular: 'p-5 sm:p-6 in-[.workspace]:p-4 sm:in-[.workspace]:p-5', roomy: 'p-6 sm:p-8' }

/** A surface with a hairline border. */
export function Card({ as: Tag = 'div', pad = 'regular', className, ...rest }: CardProps) {
  return <Tag {...rest} className={cx('rounded-card border border-line bg-surface', pads[pad], className)} />
}
