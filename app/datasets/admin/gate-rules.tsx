import { Field } from '#app/ui/field.tsx'
import { Input, Textarea } from '#app/ui/input.tsx'
import { ProductSection } from './part.tsx'
import type { GateFields } from './gate-fields.ts'
import type { ProductFormState } from './use-product-form.tsx'

type RuleName = { [Name in keyof GateFields]: GateFields[Name] extends string ? Name : never }[keyof GateFields]

/** The quality checks of a whole version. Checks of single columns are in the column table. */
export function GateRules({ form, hasColumns }: { form: ProductFormState; hasColumns: boolean }) {
  return (
    <ProductSection
      title="Quality checks"
      intro="A version that fails a check is held until you publish it with a reason. Without your own rules, it is held if more than 5% of its rows are rejected, if it has half as many rows or fewer, or if a column is missing or has another type."
    >
      <div className="grid gap-5 sm:grid-cols-3">
        <Rule form={form} name="leastRows" label="Minimum rows" placeholder="1000" hint="The least rows of a version." />
        <Rule form={form} name="mostRefused" label="Maximum rejected, %" placeholder="5" hint="The share of rows that cannot be read." />
        <Rule
          form={form}
          name="mostLoss"
          label="Maximum loss, %"
          placeholder="10"
          hint="How much the row count may drop between versions."
        />
      </div>
      {hasColumns && (
        <Field
          label="Unique together"
          name="gate.together"
          optional
          error={form.errors['gate.together'] ?? form.errors['gate.unique']}
          hint="No two rows have the same values in these columns. Comma-separated names, one combination per line."
        >
          <Textarea
            value={form.fields.gate.together}
            className="min-h-20 font-mono text-small"
            placeholder="shop, product, day"
            onChange={({ target }) => form.change({ gate: { ...form.fields.gate, together: target.value } })}
          />
        </Field>
      )}
    </ProductSection>
  )
}

type RuleProps = { form: ProductFormState; name: RuleName; label: string; placeholder: string; hint: string }

function Rule({ form, name, label, placeholder, hint }: RuleProps) {
  const { gate } = form.fields
  return (
    <Field label={label} name={`gate.${name}`} optional error={form.errors[`gate.${name}`]} hint={hint}>
      <Input
        inputMode="decimal"
        autoComplete="off"
        value={gate[name]}
        placeholder={placeholder}
        onChange={({ target }) => form.change({ gate: { ...gate, [name]: target.value } })}
      />
    </Field>
  )
}
