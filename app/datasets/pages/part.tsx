type PartProps = { id: string; title: string; /** Beside the heading. */ aside?: React.ReactNode; children: React.ReactNode }

/** A section of a dataset page with its own anchor. */
export function DatasetSection({ id, title, aside, children }: PartProps) {
  return (
    <section id={id} aria-labelledby={`${id}-title`} className="grid min-w-0 grid-cols-1 gap-5 in-[.workspace]:gap-3">
      <header className="flex flex-wrap items-end justify-between gap-x-8 gap-y-2">
        <h2 id={`${id}-title`} className="text-h3">
          {title}
        </h2>
        {aside}
      </header>
      {children}
    </section>
  )
}
