import type { Column } from '#app/datasets/catalog/column.ts'
import { cx } from '#app/ui/class-names.ts'
import { Cell, HeadCell, TableRow, Table } from '#app/ui/table.tsx'
import { cellText, readSample, sampleColumns, type SampleRow } from './sample.ts'

type SampleTableProps = { name: string; columns: readonly Column[]; sampleData: string | null }

/** On a phone, more records than this are long to scroll past. */
const MOST_RECORDS = 1

/** The first rows in full: the only rows that visitors see. A phone shows them as records, because their columns would not fit. */
export function SampleTable({ name, columns, sampleData }: SampleTableProps) {
  const rows = readSample(sampleData)
  if (rows.length === 0) return null
  const names = sampleColumns(rows)
  return (
    <>
      <div className="grid grid-cols-1 gap-3 sm:hidden">
        {Array.from(rows.slice(0, MOST_RECORDS), (row, at) => (
          <Record key={at} row={row} names={names} label={`Sample row ${at + 1} of ${name}`} />
        ))}
      </div>
      <div className="max-sm:hidden">
        <RowsSideBySide name={name} columns={columns} rows={rows} names={names} />
      </div>
    </>
  )
}

function Record({ row, names, label }: { row: SampleRow; names: readonly string[]; label: string }) {
  return (
    <dl
      aria-label={label}
      className="grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)] gap-x-4 gap-y-1.5 rounded-card border border-line bg-surface p-4 font-mono text-fine"
    >
      {names.map((column) => (
        <div key={column} className="col-span-2 grid grid-cols-subgrid">
          <dt className="text-muted wrap-anywhere">{column}</dt>
          <dd className="wrap-anywhere">{cellText(row[column]) || <span className="text-muted">empty</span>}</dd>
        </div>
      ))}
    </dl>
  )
}

type SideBySideProps = { name: string; columns: readonly Column[]; rows: readonly SampleRow[]; names: readonly string[] }

function RowsSideBySide({ name, columns, rows, names }: SideBySideProps) {
  const numbers = new Set(columns.filter(({ type }) => type === 'integer' || type === 'number').map((column) => column.name))
  return (
    <Table caption={`Sample rows of ${name}`} className="font-mono text-fine">
      <thead>
        <tr>
          {names.map((column) => (
            <HeadCell key={column} kind={numbers.has(column) ? 'number' : 'text'}>
              {column}
            </HeadCell>
          ))}
        </tr>
      </thead>
      <tbody>
        {Array.from(rows, (row, at) => (
          <TableRow key={at}>
            {names.map((column) => (
              <Cell key={column} kind={numbers.has(column) ? 'number' : 'text'}>
                <span className={cx('line-clamp-3 w-max max-w-72 wrap-anywhere', numbers.has(column) && 'ml-auto')}>
                  {cellText(row[column])}
                </span>
              </Cell>
            ))}
          </TableRow>
        ))}
      </tbody>
    </Table>
  )
}
