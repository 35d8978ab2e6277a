import { cx } from './class-names.ts'

const widths = ['w-full', 'w-11/12', 'w-full', 'w-4/5', 'w-2/3']

/** Placeholder lines for text that is loading. Screen readers skip it: a `Loading` above it announces the state. */
export function Skeleton({ lines = 3, className }: { lines?: number; className?: string }) {
  return (
    <div aria-hidden="true" className={cx('grid animate-pulse gap-3', className)}>
      {Array.from({ length: lines }, (_, line) => (
        <div key={line} className={cx('h-4 rounded-control bg-line', widths[line % widths.length])} />
      ))}
    </div>
  )
}

/** Placeholder rows in the shape of the table that is loading. A `Loading` with the words stands above it. */
export function RowsSkeleton({ rows = 12, columns = 5 }: { rows?: number; columns?: number }) {
  return (
    <div aria-hidden="true" className="animate-pulse overflow-hidden rounded-card border border-line bg-surface">
      <div className="h-8 border-b border-line bg-sunken" />
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className="flex h-9 items-center gap-6 border-b border-line px-(--cell-x) last:border-b-0">
          {Array.from({ length: columns }, (_cell, column) => (
            <div
              key={column}
              className={cx('h-2.5 rounded-control bg-line', column === 0 ? 'w-1/3' : 'w-1/6', column > 1 && 'max-sm:hidden')}
            />
          ))}
        </div>
      ))}
    </div>
  )
}

/** Placeholder cards, such as those of posts and datasets. */
export function CardsSkeleton({ cards = 6 }: { cards?: number }) {
  return (
    <ul aria-hidden="true" className="grid animate-pulse gap-4 sm:grid-cols-2 lg:grid-cols-3">
      {Array.from({ length: cards }, (_, card) => (
        <li key={card} className="grid min-h-64 content-start gap-3 rounded-card border border-line bg-surface p-5">
          <div className="mb-2 h-24 rounded-control bg-line" />
          <div className="h-4 w-4/5 rounded-control bg-line" />
          <div className="h-3 w-full rounded-control bg-line" />
          <div className="h-3 w-2/3 rounded-control bg-line" />
        </li>
      ))}
    </ul>
  )
}
