import { Link, useSearchParams } from 'react-router'
import { cx } from '#app/ui/class-names.ts'
import { HeadCell, Table } from '#app/ui/table.tsx'
import { withChanges } from '#app/ui/admin/view.ts'

/** `width` is its share of a wide table. */
export type LeadColumn = {
  width: string
  label: string
  /** The server's name for sorting by this column, if it sorts by it. */
  sort?: string
}

type LeadTableProps = {
  caption: string
  columns: LeadColumn[]
  /** The rows are those of the last query, until the new ones arrive. */ busy?: boolean
  children: React.ReactNode
}

/** A list of leads: a table, and on a narrow screen one card for each row. */
export function LeadTable({ caption, columns, busy = false, children }: LeadTableProps) {
  return (
    <div aria-busy={busy} className={cx('transition-opacity', busy && 'opacity-60')}>
      <Table caption={caption} className="lead-table">
        <thead>
          <tr>
            {columns.map((column) => (
              <ColumnHead key={column.label} {...column} />
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </Table>
    </div>
  )
}

function ColumnHead({ label, sort, width }: LeadColumn) {
  const [params] = useSearchParams()
  if (!sort) return <HeadCell style={{ width }}>{label}</HeadCell>
  const current = params.get('sort') ?? '-createdAt'
  const order = current === sort ? 'ascending' : current === `-${sort}` ? 'descending' : undefined
  // Dates start with the newest, text with A.
  const first = sort === 'createdAt' ? `-${sort}` : sort
  const next = current === first ? (first === sort ? `-${sort}` : sort) : first
  return (
    <HeadCell aria-sort={order} style={{ width }}>
      <Link
        to={withChanges(params, { sort: next })}
        preventScrollReset
        className="-my-2.5 inline-flex min-h-11 items-center gap-1.5 hover:text-ink"
      >
        {label}
        <svg viewBox="0 0 8 12" aria-hidden="true" className="w-2 fill-current">
          <path d="M4 0 7.5 4.5H.5z" className={order === 'ascending' ? 'text-ink' : 'opacity-35'} />
          <path d="M4 12 .5 7.5h7z" className={order === 'descending' ? 'text-ink' : 'opacity-35'} />
        </svg>
      </Link>
    </HeadCell>
  )
}
