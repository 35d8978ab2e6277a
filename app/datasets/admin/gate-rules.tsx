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
      title="Gate"
      intro="A version that breaks one of these rules is not published, unless someone has read why and insists. What is empty is no rule; but without one, at most 5 % of the rows may be refused."
    >
      <div className="grid gap-5 sm:grid-cols-3">
        <Rule form={form} name="leastRows" label="Least rows" placeholder="1000" hint="A version needs at least so many." />
        <Rule form={form} name="mostRefused" label="Most refused, in %" placeholder="5" hint="Of the rows that cannot be read." />
        <Rule
          form={form}
          name="mostLoss"
          label="Most loss, in %"
          placeholder="10"
          hint="By which the rows may shrink from one version to the next."
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
