import { cx } from '#app/ui/class-names.ts'
import { Fold } from '#app/ui/fold.tsx'

type PartProps = { id: string; title: string; children: React.ReactNode }

const look = 'grid min-w-0 grid-cols-1 gap-5 in-[.workspace]:gap-3'

/** A section of a dataset page with its own anchor. */
export function DatasetSection({ id, title, children }: PartProps) {
  return (
    <section id={id} aria-labelledby={`${id}-title`} className={look}>
      <h2 id={`${id}-title`} className="text-h3">
        {title}
      </h2>
      {children}
    </section>
  )
}

/** One of which a phone shows the title alone, until someone opens it or follows a link to it. */
export function FoldedSection({ id, title, children }: PartProps) {
  return (
    <section id={id} aria-labelledby={`${id}-title`} className={cx(look, 'group/part')}>
      <h2 id={`${id}-title`} className="text-h3 max-md:group-not-target/part:sr-only">
        {title}
      </h2>
      <Fold summary={<span className="font-semibold">{title}</span>}>
        <div className={cx(look, 'max-md:pt-1 max-md:pb-5')}>{children}</div>
      </Fold>
    </section>
  )
}

/** Sections that fold, as lines of one list on a phone. */
export function FoldedSections({ children }: { children: React.ReactNode }) {
  return (
    <div className="grid grid-cols-1 gap-y-14 divide-line border-line in-[.workspace]:gap-y-6 max-md:gap-y-0! max-md:divide-y max-md:border-y">
      {children}
    </div>
  )
}
