import { cx } from './class-names.ts'

type TableProps = {
  /** Read out before the rows. */
  caption: string
  /** For many rows: they scroll inside the frame, below a fixed header. */
  tall?: boolean
  className?: string
  children: React.ReactNode
}

/** A table that scrolls inside its own frame when it is wider than the page. `children` are `thead` and `tbody`. */
export function Table({ caption, tall = false, className, children }: TableProps) {
  // Visually hidden text is placed absolutely: without its own frame it would widen the page instead of the table.
  const frame = cx('relative overflow-x-auto rounded-card border border-line bg-surface', tall && 'max-h-[max(24rem,80dvh)]')
  return (
    // A scrolling frame must be reachable by keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section aria-label={caption} tabIndex={0} className={frame}>
      <table
        className={cx('w-full border-collapse text-left text-small', tall && '[&_thead]:sticky [&_thead]:top-0 [&_thead]:z-10', className)}
      >
        <caption className="sr-only">{caption}</caption>
        {children}
      </table>
    </section>
  )
}

type CellProps = { /** Money, counts and dates: mono, and numbers to the right. */ kind?: 'text' | 'number' | 'data'; className?: string }

const kinds = { text: '', number: 'text-right font-mono tabular-nums whitespace-nowrap', data: 'font-mono tabular-nums whitespace-nowrap' }

export function HeadCell({ kind = 'text', className, ...rest }: React.ComponentProps<'th'> & CellProps) {
  return (
    <th
      scope="col"
      {...rest}
      className={cx(
        'border-b border-line bg-sunken px-(--cell-x) py-(--cell-head-y) font-mono text-fine font-medium whitespace-nowrap text-muted',
        kind === 'number' && 'text-right',
        className,
      )}
    />
  )
}

/** A row; `lit` highlights the ones that matter now. */
export function TableRow({ lit = false, className, ...rest }: React.ComponentProps<'tr'> & { lit?: boolean }) {
  return <tr {...rest} className={cx('border-b border-line last:border-b-0', lit && 'bg-grain-wash', className)} />
}

export function Cell({ kind = 'text', className, ...rest }: React.ComponentProps<'td'> & CellProps) {
  return <td {...rest} className={cx('px-(--cell-x) py-(--cell-y) align-top', kinds[kind], className)} />
}
