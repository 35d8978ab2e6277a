import type { StaffVersion } from '#app/datasets/catalog/version.ts'
import { countOf } from '#app/ui/amount.ts'
import { Cell, HeadCell, TableRow, Table } from '#app/ui/table.tsx'

/** The first rows that could not be read, with their line numbers. */
export function Refusals({ version: { refusals, refusedRows } }: { version: StaffVersion }) {
  return (
    <div className="grid grid-cols-1 gap-2">
      <Table caption="Rejected rows">
        <thead>
          <tr>
            <HeadCell kind="number">Line</HeadCell>
            <HeadCell className="w-full">Reason</HeadCell>
          </tr>
        </thead>
        <tbody>
          {refusals.map(({ line, reason }, at) => (
            // Two rows may be rejected at the same line for the same reason.
            // oxlint-disable-next-line react/no-array-index-key
            <TableRow key={at}>
              <Cell kind="number">{line ?? '-'}</Cell>
              <Cell className="wrap-anywhere">{reason}</Cell>
            </TableRow>
          ))}
        </tbody>
      </Table>
      {refusedRows > refusals.length && (
        <p className="text-small text-muted">{countOf(refusedRows - refusals.length, 'more is', 'more are')} not listed.</p>
      )}
    </div>
  )
}
