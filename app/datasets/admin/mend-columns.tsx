import { useState } from 'react'
import type { StaffVersion } from '#app/datasets/catalog/version.ts'
import { columnNames } from '#app/datasets/catalog/version-change.ts'
import { LONGEST_COLUMN_NAME } from '#app/datasets/catalog/column.ts'
import { apiRequest } from '#app/platform/browser/api.ts'
import { Form } from '#app/ui/admin/form.tsx'
import { useForm } from '#app/ui/admin/use-form.ts'
import { CellInput } from '#app/ui/cell-input.tsx'
import { SubmitButton } from '#app/ui/submit-button.tsx'
import { Cell, HeadCell, Table, TableRow } from '#app/ui/table.tsx'
import { productAddresses, versionsUrl } from './product-urls.ts'

/** Other names for the columns of a rejected file. They are used instead of those in the file. */
export function MendColumns({ productId, version: { number, headFaults } }: { productId: string; version: StaffVersion }) {
  const [names, setNames] = useState(() => new Map(headFaults.map(({ column, suggestion }) => [column, suggestion])))
  const form = useForm({
    schema: columnNames,
    read: () => ({ names: [...names].map(([column, name]) => ({ column, name })) }),
    send: async (body) => apiRequest('POST', `${versionsUrl(productId)}/${number}/columns`, body),
    done: 'The import continues with these names',
    failed: 'The columns were not renamed',
    touches: productAddresses,
  })
  return (
    <Form form={form} aria-label={`Column names of version ${number}`} className="grid grid-cols-1 gap-3">
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
          {headFaults.map(({ column, fault }, at) => (
            <TableRow key={column}>
              <Cell kind="number">{column}</Cell>
              <Cell className="wrap-anywhere">{fault}</Cell>
              <Cell>
                <CellInput
                  label={`Name of column ${column}`}
                  value={names.get(column) ?? ''}
                  most={LONGEST_COLUMN_NAME}
                  error={form.errors[`names.${at}.name`]}
                  onChange={({ target }) => setNames(new Map(names).set(column, target.value))}
                />
              </Cell>
            </TableRow>
          ))}
        </tbody>
      </Table>
      <div>
        <SubmitButton size="small" pending="Importing...">
          Continue the import
        </SubmitButton>
      </div>
    </Form>
  )
}
