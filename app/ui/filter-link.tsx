import { Link, type LinkProps } from 'react-router'
import { cx } from './class-names.ts'

type FilterLinkProps = { to: LinkProps['to']; name: string; /** The number of results. */ count?: number; isChosen: boolean }

/** An item of a list of links that narrow a page, of which one is chosen. */
export function FilterLink({ to, name, count, isChosen }: FilterLinkProps) {
  return (
    <li className="max-w-full">
      <Link
        to={to}
        aria-current={isChosen ? 'true' : undefined}
        className={cx(
          'inline-flex min-h-9 max-w-full items-center gap-2 rounded-full border px-3.5 font-mono text-fine wrap-anywhere in-[.workspace]:min-h-(--control-small) in-[.workspace]:font-sans in-[.workspace]:font-medium pointer-coarse:min-h-11',
          isChosen
            ? 'border-transparent bg-ink text-paper in-[.workspace]:bg-grain-wash in-[.workspace]:text-ink'
            : 'border-line bg-surface text-ink hover:border-edge',
        )}
      >
        {name}
        {count !== undefined && <span className={cx('tabular-nums', !isChosen && 'text-muted')}>{count}</span>}
      </Link>
    </li>
  )
}
