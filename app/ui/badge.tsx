import { cx } from './class-names.ts'

const looks = {
  plain: 'border-line bg-sunken text-ink',
  grain: 'border-transparent bg-grain-wash text-grain-text',
  leaf: 'border-transparent bg-leaf-wash text-leaf',
  alarm: 'border-transparent bg-alarm-wash text-alarm',
}

type BadgeProps = {
  look?: keyof typeof looks
  /** A small light before the words, for a state that holds now. */
  dot?: boolean
  className?: string
  children: React.ReactNode
}

/** One word about a thing: its state, its kind. Never the only sign of a meaning by its colour. */
export function Badge({ look = 'plain', dot = false, className, children }: BadgeProps) {
  return (
    <span
      className={cx(
        'inline-flex items-center gap-1.5 rounded-full border px-2.5 py-0.5 font-mono text-fine font-medium whitespace-nowrap',
        looks[look],
        className,
      )}
    >
      {dot && <span className="size-1.5 rounded-full bg-current" />}
      {children}
    </span>
  )
}
