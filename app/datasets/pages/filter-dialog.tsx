import { useState } from 'react'
import { z } from 'zod/mini'
import { FormDialog } from '#app/ui/admin/form-dialog.tsx'
import { useForm } from '#app/ui/admin/use-form.ts'
import { useView } from '#app/ui/admin/use-view.tsx'
import { type Column, filterOperators } from '#app/datasets/catalog/column.ts'
import { Field } from '#app/ui/field.tsx'
import { Input, Select } from '#app/ui/input.tsx'
import { rowViewKey, operatorsFor, operatorWords } from './row-view.ts'

const filterValue = z.object({ value: z.string().check(z.trim(), z.minLength(1, 'Enter a value')) })

/** Any condition on any column. */
export function FilterDialog({ columns, close }: { columns: readonly Column[]; close: () => void }) {
  const { change } = useView()
  const [name, setName] = useState(columns[0]?.name ?? '')
  const column = columns.find((candidate) => candidate.name === name)
  const [operator, setOperator] = useState<string>()
  const allowed = column ? operatorsFor(column) : []
  const chosen = allowed.find((candidate) => candidate === operator) ?? allowed[0] ?? 'eq'
  const isYesNo = chosen === 'null' || column?.type === 'boolean'

  const form = useForm({
    schema: filterValue,
    send: async ({ value }) => change({ [rowViewKey({ column: name, operator: chosen })]: value }),
    failed: 'Not filtered',
    onDone: close,
  })
  return (
    <FormDialog form={form} title="Add a filter" submit="Add filter" onClose={close}>
      <Field label="Column" name="column">
        <Select value={name} onChange={(event) => setName(event.target.value)}>
          {columns.map((one) => (
            <option key={one.name}>{one.name}</option>
          ))}
        </Select>
      </Field>
      <Field label="Condition" name="operator">
        <Select value={chosen} onChange={(event) => setOperator(filterOperators.find((candidate) => candidate === event.target.value))}>
          {allowed.map((candidate) => (
            <option key={candidate} value={candidate}>
              {operatorWords(column?.type)[candidate]}
            </option>
          ))}
        </Select>
      </Field>
      <Field label="Value" name="value" hint={hints[chosen]}>
        {isYesNo ? (
          <Select defaultValue="true">
            <option value="true">{chosen === 'null' ? 'yes' : 'true'}</option>
            <option value="false">{chosen === 'null' ? 'no' : 'false'}</option>
          </Select>
        ) : (
          <Input placeholder={column?.min ?? ''} autoComplete="off" />
        )}
      </Field>
    </FormDialog>
  )
}

const hints: Partial<Record<string, string>> = { in: 'Comma-separated values' }
