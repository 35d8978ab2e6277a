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
