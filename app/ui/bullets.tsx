import { cx } from './class-names.ts'

/** A list of sentences behind short bars. */
export function Bullets({ items, className }: { items: readonly string[]; className?: string }) {
  return (
    <ul className={cx('grid', className)}>
      {items.map((item) => (
        <li
          key={item}
          className="relative pl-6 before:absolute before:top-[0.6em] before:left-0 before:h-1.5 before:w-3 before:rounded-full before:bg-grain"
        >
          {item}
        </li>
      ))}
    </ul>
  )
}
