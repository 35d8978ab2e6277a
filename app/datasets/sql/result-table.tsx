import { useState } from 'react'
import { Button } from '#app/ui/button.tsx'
import { Empty } from '#app/ui/empty.tsx'
import { Cell, HeadCell, TableRow, Table } from '#app/ui/table.tsx'
import type { QueryResult } from './query.ts'
import { chartCellText } from './chart-series.ts'

const PAGE = 100

/** The rows, 100 per page. */
export function ResultTable({ result: { columns, rows } }: { result: QueryResult }) {
  const [page, setPage] = useState(0)
  const pages = Math.max(1, Math.ceil(rows.length / PAGE))
  if (rows.length === 0) {
    return (
      <Empty title="No rows">
        <p>No rows match.</p>
      </Empty>
    )
  }
  return (
    <div className="grid grid-cols-1 gap-3 [&>section]:max-h-[40rem] [&>section]:overflow-auto">
      <Table caption="Query result" className="[&_td]:py-2 [&_th]:sticky [&_th]:top-0">
        <thead>
          <tr>
            {columns.map(({ name, type }, index) => (
              // Two columns of a result can have the same name.
              // oxlint-disable-next-line react/no-array-index-key
              <HeadCell key={index} kind={kindOf(type)}>
                {name}
              </HeadCell>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(page * PAGE, (page + 1) * PAGE).map((row, at) => (
            // Rows of a result have no key.
            // oxlint-disable-next-line react/no-array-index-key
            <TableRow key={at}>
              {columns.map(({ type }, index) => (
                // oxlint-disable-next-line react/no-array-index-key
                <Cell key={index} kind={kindOf(type)} className="max-w-96 truncate">
                  <Value value={row[index]} />
                </Cell>
              ))}
            </TableRow>
          ))}
        </tbody>
      </Table>
      {pages > 1 && <Pager page={page} pages={pages} onTurn={setPage} />}
    </div>
  )
}

function Value({ value }: { value: unknown }) {
  if (value === null || value === undefined) return <span className="text-muted">null</span>
  const text = chartCellText(value)
  return text.length > 40 ? <span title={text.slice(0, 2000)}>{text.slice(0, 2000)}</span> : text
}

type PagerProps = { page: number; pages: number; onTurn: (page: number) => void }

function Pager({ page, pages, onTurn }: PagerProps) {
  return (
    <nav aria-label="Pages of the result" className="flex items-center justify-end gap-3">
      <Button
        type="button"
        look="quiet"
        size="small"
        {...(page === 0 && { unavailable: 'This is the first page.' })}
        onClick={() => onTurn(page - 1)}
      >
        Previous
      </Button>
      <p className="font-mono text-small text-muted tabular-nums" role="status">
        Page {page + 1} of {pages}
      </p>
      <Button
        type="button"
        look="quiet"
        size="small"
        {...(page === pages - 1 && { unavailable: 'This is the last page.' })}
        onClick={() => onTurn(page + 1)}
      >
        Next
      </Button>
    </nav>
  )
}

function kindOf(type: QueryResult['columns'][number]['type']): 'text' | 'number' | 'data' {
  if (type === 'integer' || type === 'number') return 'number'
  return type === 'date' || type === 'timestamp' ? 'data' : 'text'
}
