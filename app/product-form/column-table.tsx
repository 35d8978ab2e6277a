import type { Column } from '#app/datasets/column.ts'
import { limits } from '#app/datasets/product.ts'
import { CellCheck, CellInput } from '#app/ui/cell-input.tsx'
import { Cell, HeadCell, Row, Table } from '#app/ui/table.tsx'
import { Part } from './part.tsx'
import type { ProductFields } from './product-fields.ts'
import type { ProductFormState } from './use-product-form.tsx'

/** What single columns mean, which of them are about persons, and what each has to fulfil. */
export function ColumnTable({ form, columns }: { form: ProductFormState; columns: readonly Column[] }) {
  const names = namesIn(form.fields, columns)
  return (
    <Part
      title="Columns"
      intro="Descriptions stand on the page of the product and in its schema. Values of personal columns are not shown in the sample. Fill and uniqueness are rules of the gate."
    >
      {names.length === 0 ? (
        <p className="text-muted">Once a file has been read, its columns stand here.</p>
      ) : (
        <Table caption="What is said of each column" className="min-w-[46rem]">
          <thead>
            <tr>
              <HeadCell>Column</HeadCell>
              <HeadCell className="w-1/2">Description</HeadCell>
              <HeadCell>Personal</HeadCell>
              <HeadCell className="w-28">Least fill, %</HeadCell>
              <HeadCell>Unique</HeadCell>
            </tr>
          </thead>
          <tbody>
            {names.map((name) => (
              <ColumnRow key={name} form={form} name={name} column={columns.find((one) => one.name === name)} />
            ))}
          </tbody>
        </Table>
      )}
    </Part>
  )
}

type ColumnRowProps = {
  form: ProductFormState
  name: string
  /** None where the newest version has no such column. */ column: Column | undefined
}

function ColumnRow({ form: { fields, errors, change }, name, column }: ColumnRowProps) {
  const { columnDescriptions, maskedColumns, gate } = fields
  return (
    <Row>
      <Cell className="max-w-56 font-mono wrap-anywhere">
        {name}
        <span className="block text-fine text-muted">{column?.type ?? 'not in the newest version'}</span>
      </Cell>
      <Cell>
        <CellInput
          label={`Description of ${name}`}
          value={columnDescriptions[name] ?? ''}
          maxLength={limits.columnDescription}
          error={errors[`columnDescriptions.${name}`]}
          onChange={({ target }) => change({ columnDescriptions: { ...columnDescriptions, [name]: target.value } })}
        />
      </Cell>
      <Cell>
        <CellCheck
          label={`${name} is about persons`}
          checked={maskedColumns.includes(name)}
          onChange={(isMasked) => change({ maskedColumns: toggled(maskedColumns, name, isMasked) })}
        />
      </Cell>
      <Cell>
        <CellInput
          label={`Least fill of ${name}, in percent`}
          value={gate.leastFill[name] ?? ''}
          inputMode="decimal"
          error={errors[`gate.leastFill.${name}`]}
          onChange={({ target }) => change({ gate: { ...gate, leastFill: { ...gate.leastFill, [name]: target.value } } })}
        />
      </Cell>
      <Cell>
        <CellCheck
          label={`${name} is unique`}
          checked={gate.unique.includes(name)}
          onChange={(isUnique) => change({ gate: { ...gate, unique: toggled(gate.unique, name, isUnique) } })}
        />
      </Cell>
    </Row>
  )
}

/** The columns of the newest version, and those of which the product still says something. */
function namesIn({ columnDescriptions, maskedColumns, gate }: ProductFields, columns: readonly Column[]): string[] {
  const said = [...Object.keys(columnDescriptions), ...maskedColumns, ...Object.keys(gate.leastFill), ...gate.unique]
  return [...new Set([...columns.map(({ name }) => name), ...said])]
}

function toggled(names: readonly string[], name: string, isIn: boolean): string[] {
  const others = names.filter((one) => one !== name)
  return isIn ? [...others, name] : others
}
