import { cx } from '#app/ui/class-names.ts'

type SampleCardProps = {
  title: string
  className?: string
  /** For a frame of a few lines. */ isSmall?: boolean
  children: React.ReactNode
}

/** The frame of a data sample. The text beside it says the same, so screen readers skip it. */
export function SampleCard({ title, className, isSmall = false, children }: SampleCardProps) {
  return (
    <div
      aria-hidden="true"
      className={cx('flex flex-col overflow-hidden rounded-card border border-line bg-sunken font-mono text-fine', className)}
    >
      <p className={cx('shrink-0 border-b border-line px-4 py-2 text-muted', isSmall && 'truncate')}>{title}</p>
      <div className={cx('flex grow flex-col', isSmall ? 'px-4 py-3 whitespace-nowrap' : 'p-4')}>{children}</div>
    </div>
  )
}

/** The columns of a record, stacked; a long value breaks and never widens the frame. */
export function Record({ fields, isJson = false }: { fields: readonly (readonly [string, string])[]; isJson?: boolean }) {
  return (
    <div className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1">
      {fields.map(([name, value]) => (
        <div key={name} className="col-span-2 grid grid-cols-subgrid">
          <span className="text-muted">{isJson ? `"${name}":` : name}</span>
          <span className="overflow-hidden break-words text-ellipsis">{value}</span>
        </div>
      ))}
    </div>
  )
}
