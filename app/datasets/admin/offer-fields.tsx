import { Card } from '#app/ui/card.tsx'
import { Switch } from '#app/ui/switch.tsx'
import { PriceField } from './price-field.tsx'
import type { ProductFormState } from './use-product-form.tsx'

/** Formats, price and visibility. */
export function OfferFields({ form }: { form: ProductFormState }) {
  const { fields, errors, change } = form
  return (
    <Card as="section" aria-label="Offer" className="grid gap-4">
      <PriceField form={form} />
      <div className="grid justify-items-start gap-1 border-t border-line pt-3">
        <Switch label="File download" checked={fields.hasFile} onChange={(hasFile) => change({ hasFile })} />
        <Switch label="API access" checked={fields.hasApi} onChange={(hasApi) => change({ hasApi })} />
        {errors['hasFile'] && (
          <p data-error="hasFile" className="text-small font-medium text-alarm">
            {errors['hasFile']}
          </p>
        )}
      </div>
      <div className="grid justify-items-start gap-1 border-t border-line pt-3">
        <Switch
          label="Published"
          checked={!fields.hidden}
          onChange={(isShown) => change({ hidden: !isShown })}
          describedBy="what-hidden-means"
        />
        <p id="what-hidden-means" role="status" className="text-small text-muted">
          {fields.hidden
            ? 'After you save, only staff can see it. Customers lose access until you publish it again.'
            : 'After you save, everyone can see it. Data appears with the first version that you publish.'}
        </p>
      </div>
    </Card>
  )
}
