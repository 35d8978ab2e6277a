import type { Column } from '#app/datasets/catalog/column.ts'
import { cx } from '#app/ui/class-names.ts'
import { Cell, HeadCell, TableRow, Table } from '#app/ui/table.tsx'
import { cellText, sampleColumns, readSample } from './sample.ts'

type SampleTableProps = { name: string; columns: readonly Column[]; sampleData: string | null }

/** The first rows in full: the only rows that visitors see. */
export function SampleTable({ name, columns, sampleData }: SampleTableProps) {
  const rows = readSample(sampleData)
  if (rows.length === 0) return null
  const numbers = new Set(columns.filter(({ type }) => type === 'integer' || type === 'number').map((column) => column.name))
  const names = sampleColumns(rows)
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
