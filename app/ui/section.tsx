import { cx } from './class-names.ts'

type SectionProps = {
  /** Where links lead to. Its heading has the id `<id>-title`, as that of `SectionHead`. */
  id: string
  ground?: keyof typeof grounds
  /** `close` where many sections follow one another. */
  pad?: keyof typeof pads
  /** The layout of its parts. */
  className?: string
  children: React.ReactNode
}

const grounds = { paper: '', surface: 'bg-surface', sunken: 'bg-sunken' }
const pads = { close: 'py-11 lg:py-12', airy: 'py-16 sm:py-28' }

/** A section of a public page, from edge to edge of the window. */
export function Section({ id, ground = 'paper', pad = 'airy', className, children }: SectionProps) {
  return (
    <section id={id} aria-labelledby={`${id}-title`} className={cx('border-t border-line', grounds[ground])}>
      <div className={cx('wrap', pads[pad], className)}>{children}</div>
    </section>
  )
}

/** A heading over the whole section, with a sentence beside it where there is room. */
export function SectionHead({ of, title, text }: { of: string; title: string; text?: string }) {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-12 gap-y-2">
      <h2 id={`${of}-title`}>{title}</h2>
      {text && <p className="text-muted">{text}</p>}
    </div>
  )
}
