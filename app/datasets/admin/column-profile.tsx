import { type Column, isOrdered } from '#app/datasets/catalog/column.ts'
import { shareInWords } from '#app/datasets/pages/words.ts'
import { Badge } from '#app/ui/badge.tsx'
import { Cell, HeadCell, TableRow, Table } from '#app/ui/table.tsx'
import { numberText } from '#app/platform/text/english-number.ts'

type ColumnProfileProps = { columns: readonly Column[]; rows: number; number: number }

export function ColumnProfile({ columns, rows, number }: ColumnProfileProps) {
  return (
    <Table caption={`Columns of version ${number}`} className="min-w-[48rem]">
      <thead>
        <tr>
          <HeadCell>Column</HeadCell>
          <HeadCell>Type</HeadCell>
          <HeadCell kind="number">Filled</HeadCell>
          <HeadCell kind="number">Distinct</HeadCell>
          <HeadCell>Minimum</HeadCell>
          <HeadCell>Maximum</HeadCell>
          <HeadCell>Distribution</HeadCell>
        </tr>
      </thead>
      <tbody>
        {columns.map((column) => (
          <TableRow key={column.name}>
            <Cell className="max-w-56 min-w-40 font-mono wrap-anywhere">
              {column.name} {column.masked && <Badge className="ml-1">Personal</Badge>}
            </Cell>
            <Cell kind="data">{column.type}</Cell>
            <Cell kind="number">{shareInWords(column.fillRate)}</Cell>
            <Cell kind="number">{column.distinct >= rows && rows > 1 ? 'all' : numberText(column.distinct)}</Cell>
            <Cell className="max-w-40 truncate font-mono">{(isOrdered(column) && column.min) || '-'}</Cell>
            <Cell className="max-w-40 truncate font-mono">{(isOrdered(column) && column.max) || '-'}</Cell>
            <Cell>
              <Spread column={column} />
            </Cell>
          </TableRow>
        ))}
      </tbody>
    </Table>
  )
}

function Spread({ column: { name, histogram, topValues } }: { column: Column }) {
  if (!histogram) {
    const [first] = topValues
    return first ? (
      <span className="block max-w-48 truncate font-mono">
        {first.value} <span className="text-muted">× {numberText(first.count)}</span>
      </span>
    ) : (
      <span className="text-muted">-</span>
    )
  }
  const most = Math.max(1, ...histogram.map(({ count }) => count))
  const width = 120 / Math.max(1, histogram.length)
  return (
    <svg viewBox="0 0 120 28" role="img" aria-label={`Distribution of ${name}`} className="h-7 w-30 text-grain">
      {histogram.map(({ from, count }, at) => (
        <rect
          key={from}
          x={at * width}
          y={28 - Math.max(count > 0 ? 1 : 0, (count / most) * 28)}
          width={Math.max(1, width - 1)}
          height={Math.max(count > 0 ? 1 : 0, (count / most) * 28)}
          fill="currentColor"
        />
      ))}
    </svg>
  )
}
