import { priceInWords } from '#app/datasets/catalog/price.ts'
import { centsOf } from './price.ts'
import { TextField } from '#app/ui/admin/text-field.tsx'
import type { ProductFormState } from './use-product-form.tsx'

/** Typed in dollars. The price that customers will see is shown below. */
export function PriceField({ form }: { form: ProductFormState }) {
  const cents = centsOf(form.fields.price)
  return (
    <div className="grid content-start gap-1.5">
      <TextField form={form} name="price" label="Price in dollars" inputMode="decimal" placeholder="19.99" hint="0 makes it free." />
      <output htmlFor="field-price" className="min-h-6 text-small text-muted">
        {cents !== undefined && (
          <>
            <span className="font-mono font-semibold text-ink">{priceInWords(cents)}</span>
            {cents === 0 ? ': everyone with a confirmed email address has access.' : ': customers request access, and you grant it.'}
          </>
        )}
      </output>
    </div>
  )
}
