import { useState } from 'react'
import type { StaffVersion } from '#app/datasets/catalog/version.ts'
import { LONGEST_COLUMN_NAME } from '#app/datasets/catalog/column.ts'
import { useAdminAction } from '#app/ui/admin/use-admin-action.tsx'
import { Button } from '#app/ui/button.tsx'
import { CellInput } from '#app/ui/cell-input.tsx'
import { Cell, HeadCell, Table, TableRow } from '#app/ui/table.tsx'
import { productAddresses } from './product-responses.ts'
import { versionsUrl } from './product-urls.ts'

/** Other names for the columns of a rejected file. They are used instead of those in the file. */
export function MendColumns({ productId, version: { number, headFaults } }: { productId: string; version: StaffVersion }) {
  const [names, setNames] = useState(() => new Map(headFaults.map(({ column, suggestion }) => [column, suggestion])))
  const go = useAdminAction({
    method: 'POST',
    url: `${versionsUrl(productId)}/${number}/columns`,
    done: 'The import continues with these names',
    failed: 'The columns were not renamed',
    body: () => ({ names: [...names].map(([column, name]) => ({ column, name })) }),
    touches: productAddresses,
  })
  return (
    <form
      method="post"
      noValidate
      aria-label={`Column names of version ${number}`}
      className="grid grid-cols-1 gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        go.mutate()
      }}
    >
      <p className="max-w-prose text-small">Rename these columns here. Your file does not change. We keep it for one day.</p>
      <Table caption="Columns that need another name">
        <thead>
          <tr>
            <HeadCell kind="number">Column</HeadCell>
            <HeadCell className="w-1/2">Problem</HeadCell>
            <HeadCell className="w-1/2">Name</HeadCell>
          </tr>
        </thead>
        <tbody>
          {headFaults.map(({ column, fault }) => (
            <TableRow key={column}>
              <Cell kind="number">{column}</Cell>
              <Cell className="wrap-anywhere">{fault}</Cell>
              <Cell>
                <CellInput
                  label={`Name of column ${column}`}
                  value={names.get(column) ?? ''}
                  most={LONGEST_COLUMN_NAME}
                  onChange={({ target }) => setNames(new Map(names).set(column, target.value))}
                />
              </Cell>
            </TableRow>
          ))}
        </tbody>
      </Table>
      <div>
        <Button type="submit" size="small" busy={go.isPending}>
          {go.isPending ? 'Importing...' : 'Continue the import'}
        </Button>
      </div>
    </form>
  )
}
