import { priceInWords } from '#app/datasets/price.ts'
import { centsOf } from './price.ts'
import { TextField } from './text-field.tsx'
import type { ProductFormState } from './use-product-form.tsx'

/** Typed in dollars; what customers will read of it stands below it at once. */
export function PriceField({ form }: { form: ProductFormState }) {
  const cents = centsOf(form.fields.price)
  return (
    <div className="grid content-start gap-1.5">
      <TextField form={form} name="price" label="Price in dollars" inputMode="decimal" placeholder="19.99" hint="0 makes it free." />
      <output htmlFor="field-price" className="min-h-6 text-small text-muted">
        {cents !== undefined && (
          <>
            <span className="font-mono font-semibold text-ink">{priceInWords(cents)}</span>
            {cents === 0 ? ': whoever has confirmed their address may take it.' : ': customers need a grant, and ask you for it.'}
          </>
        )}
      </output>
    </div>
  )
}
