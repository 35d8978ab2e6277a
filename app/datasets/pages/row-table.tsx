import { Link } from 'react-router'
import { useView } from '#app/ui/admin/use-view.tsx'
import { withChanges } from '#app/ui/admin/view.ts'
import type { Column } from '#app/datasets/catalog/column.ts'
import { ColumnHistogram } from './histogram.tsx'
import { cellText, type SampleRow } from './sample.ts'
import { TopValues } from './top-values.tsx'
import { cx } from '#app/ui/class-names.ts'
import { Cell, HeadCell, TableRow, Table } from '#app/ui/table.tsx'
import { nextSort, sortOf } from './row-view.ts'
import { usePicking } from './use-picking.tsx'

type RowTableProps = { caption: string; columns: readonly Column[]; rows: readonly SampleRow[] }

const isNumber = ({ type }: Column) => type === 'integer' || type === 'number'

/** A page of rows. Above each column is its histogram, whose bars filter the rows. */
export function RowTable({ caption, columns, rows }: RowTableProps) {
  return (
    <Table caption={caption} tall className="font-mono text-fine">
      <thead>
        <tr>
          {columns.map((column) => (
            <ColumnHead key={column.name} column={column} />
          ))}
        </tr>
      </thead>
      <tbody>
        {Array.from(rows, (row, at) => (
          <TableRow key={at}>
            {columns.map((column) => (
              <Cell key={column.name} kind={isNumber(column) ? 'number' : 'text'} className="py-2">
                <span
                  className={cx('line-clamp-3 w-max max-w-72 wrap-anywhere', isNumber(column) && 'ml-auto')}
                  title={cellText(row[column.name])}
                >
                  {cellText(row[column.name])}
                </span>
              </Cell>
            ))}
          </TableRow>
        ))}
      </tbody>
    </Table>
  )
}

const isNested = ({ type }: Column) => type === 'list' || type === 'object'

function ColumnHead({ column }: { column: Column }) {
  const { params } = useView()
  const picking = usePicking()
  const sort = sortOf(params)
  const order = sort?.column !== column.name ? undefined : sort.descending ? 'descending' : 'ascending'
  return (
    <HeadCell aria-sort={order} className="min-w-44 align-top">
      {isNested(column) ? (
        <span className="inline-flex min-h-9 items-center">{column.name}</span>
      ) : (
        <SortLink name={column.name} order={order} />
      )}
      <div className="w-full max-w-56 text-left font-normal">
        {column.histogram ? (
          <ColumnHistogram column={column} picking={picking} small />
        ) : (
          <TopValues column={column} picking={picking} most={3} />
        )}
      </div>
    </HeadCell>
  )
}

type SortLinkProps = { name: string; order: 'ascending' | 'descending' | undefined }

function SortLink({ name, order }: SortLinkProps) {
  const { params } = useView()
  return (
    <Link
      to={withChanges(params, { sort: nextSort(params, name) })}
      preventScrollReset
      className="-my-1 inline-flex min-h-11 items-center gap-1.5 hover:text-ink"
    >
      {name}
      <svg viewBox="0 0 8 12" aria-hidden="true" className="w-2 fill-current">
        <path d="M4 0 7.5 4.5H.5z" className={order === 'ascending' ? 'text-ink' : 'opacity-35'} />
        <path d="M4 12 .5 7.5h7z" className={order === 'descending' ? 'text-ink' : 'opacity-35'} />
      </svg>
    </Link>
  )
}
