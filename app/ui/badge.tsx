import { cx } from './class-names.ts'

const looks = {
  plain: 'border-line bg-sunken text-ink',
  grain: 'border-transparent bg-grain-wash text-grain-text',
  leaf: 'border-transparent bg-leaf-wash text-leaf',
  alarm: 'border-transparent bg-alarm-wash text-alarm',
}

export type BadgeLook = keyof typeof looks

type BadgeProps = {
  look?: BadgeLook
  /** A small dot before the text, for a state that is true now. */
  dot?: boolean
  className?: string
  children: React.ReactNode
}

/**
 * One word about an item: its state or kind. The color is never the only sign of a meaning. As the status of a row: plain for new, grain
 * for waiting, leaf for done, alarm for late or failed.
 */
export function Badge({ look = 'plain', dot = false, className, children }: BadgeProps) {
  return (
    <span
      className={cx(
        'inline-flex items-center gap-1.5 align-middle rounded-full border px-2.5 py-0.5 font-mono text-fine font-medium whitespace-nowrap in-[.workspace]:px-2 in-[.workspace]:py-px in-[.workspace]:font-sans',
        looks[look],
        className,
      )}
    >
      {dot && <span className="size-1.5 rounded-full bg-current" />}
      {children}
    </span>
  )
}
