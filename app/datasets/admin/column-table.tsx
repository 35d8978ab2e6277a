import type { Column } from '#app/datasets/catalog/column.ts'
import { productLimits } from '#app/datasets/catalog/product.ts'
import { CellCheck, CellInput } from '#app/ui/cell-input.tsx'
import { Cell, HeadCell, TableRow, Table } from '#app/ui/table.tsx'
import { ProductSection } from './part.tsx'
import type { ProductFields } from './product-fields.ts'
import type { ProductFormState } from './use-product-form.tsx'

/** Descriptions, masking and quality checks by column. */
export function ColumnTable({ form, columns }: { form: ProductFormState; columns: readonly Column[] }) {
  const names = namesIn(form.fields, columns)
  return (
    <ProductSection
      title="Columns"
      intro="Descriptions appear on the product page and in its schema. Samples hide the values of personal columns. Fill and uniqueness are quality checks."
    >
      {names.length === 0 ? (
        <p className="text-muted">Columns appear here after the first import.</p>
      ) : (
        <Table caption="Column settings" className="min-w-[46rem]">
          <thead>
            <tr>
              <HeadCell>Column</HeadCell>
              <HeadCell className="w-1/2">Description</HeadCell>
              <HeadCell>Personal</HeadCell>
              <HeadCell className="w-28">Minimum fill, %</HeadCell>
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
    </ProductSection>
  )
}

type ColumnRowProps = {
  form: ProductFormState
  name: string
  /** Undefined if the newest version has no such column. */ column: Column | undefined
}

function ColumnRow({ form: { fields, errors, change }, name, column }: ColumnRowProps) {
  const { columnDescriptions, maskedColumns, gate } = fields
  return (
    <TableRow>
      <Cell className="max-w-56 font-mono wrap-anywhere">
        {name}
        <span className="block text-fine text-muted">{column?.type ?? 'not in the newest version'}</span>
      </Cell>
      <Cell>
        <CellInput
          label={`Description of ${name}`}
          name={`columnDescriptions.${name}`}
          value={columnDescriptions[name] ?? ''}
          most={productLimits.columnDescription}
          error={errors[`columnDescriptions.${name}`]}
          onChange={({ target }) => change({ columnDescriptions: { ...columnDescriptions, [name]: target.value } })}
        />
      </Cell>
      <Cell>
        <CellCheck
          label={`${name} has personal data`}
          checked={maskedColumns.includes(name)}
          onChange={(isMasked) => change({ maskedColumns: toggled(maskedColumns, name, isMasked) })}
        />
      </Cell>
      <Cell>
        <CellInput
          label={`Minimum fill of ${name}, in percent`}
          name={`gate.leastFill.${name}`}
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
    </TableRow>
  )
}

/** The columns of the newest version, and those that the product still describes. */
function namesIn({ columnDescriptions, maskedColumns, gate }: ProductFields, columns: readonly Column[]): string[] {
  const said = [...Object.keys(columnDescriptions), ...maskedColumns, ...Object.keys(gate.leastFill), ...gate.unique]
  return [...new Set([...columns.map(({ name }) => name), ...said])]
}

function toggled(names: readonly string[], name: string, isIn: boolean): string[] {
  const others = names.filter((one) => one !== name)
  return isIn ? [...others, name] : others
}
