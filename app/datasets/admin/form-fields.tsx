import type { ReactNode } from 'react'
import { MARKETPLACE } from '#app/datasets/catalog/addresses.ts'
import { TextField } from '#app/ui/admin/text-field.tsx'
import { Card } from '#app/ui/card.tsx'
import { Switch } from '#app/ui/switch.tsx'
import { Field, FieldError } from '#app/ui/field.tsx'
import { Select } from '#app/ui/input.tsx'
import { includesWords, onceIncludes } from '#app/datasets/catalog/offer.ts'
import { productLabels, productLimits } from '#app/datasets/catalog/product.ts'
import { priceInWords } from '#app/datasets/catalog/price.ts'
import { ProductSection } from './part.tsx'
import type { ProductFormState } from './use-product-form.tsx'
import { centsOf } from './product-fields.ts'

const frequencies = ['Hourly', 'Daily', 'Weekly', 'Monthly', 'Quarterly', 'Once']

type FormFieldsProps = {
  form: ProductFormState
  /** Of the other products. */ categories: readonly string[]
  isNew: boolean
  children: ReactNode
}

/** `children` are the columns and the quality checks. */
export function ProductFormFields({ form, categories, isNew, children }: FormFieldsProps) {
  return (
    <>
      <div className="grid gap-5 md:grid-cols-2">
        <TextField
          form={form}
          name="name"
          label={productLabels.name}
          most={productLimits.name}
          isFirst={isNew}
          hint="Shown on its card and as the page title."
        />
        <SlugField form={form} />
      </div>
      <div className="grid items-start gap-6 lg:grid-cols-[1fr_22rem]">
        <div className="grid grid-cols-1 gap-5">
          <TextField
            form={form}
            name="description"
            label={productLabels.description}
            most={productLimits.description}
            long
            className="min-h-20"
            hint="A sentence or two for its card."
          />
          <div className="grid gap-5 sm:grid-cols-2">
            <TextField
              form={form}
              name="category"
              label={productLabels.category}
              most={productLimits.category}
              list={categories}
              placeholder="Prices"
              hint="A tab of the marketplace."
            />
            <TextField
              form={form}
              name="updateFrequency"
              label={productLabels.updateFrequency}
              optional
              list={frequencies}
              placeholder="Daily"
              hint="How often you publish a new version."
            />
          </div>
          <TextField
            form={form}
            name="about"
            label={productLabels.about}
            most={productLimits.about}
            optional
            long
            hint="At length, for its page: what a row is, how it was gathered, what is missing. An empty line begins a paragraph."
          />
        </div>
        <OfferFields form={form} />
      </div>
      <ProductSection title="Data source">
        <div className="grid gap-5 md:grid-cols-2">
          <TextField
            form={form}
            name="source"
            label={productLabels.source}
            most={productLimits.text}
            optional
            hint="Publisher of the source data."
          />
          <TextField
            form={form}
            name="lawfulBasis"
            label={productLabels.lawfulBasis}
            most={productLimits.text}
            optional
            hint="Why it may be gathered and sold."
          />
          <TextField
            form={form}
            name="licence"
            label={productLabels.licence}
            most={productLimits.text}
            optional
            hint="Permitted use of the data."
          />
          <TextField
            form={form}
            name="licenceUrl"
            label={productLabels.licenceUrl}
            optional
            inputMode="url"
            placeholder="https://"
            hint="Link to the license text."
          />
        </div>
      </ProductSection>
      {children}
    </>
  )
}

/** For its page and the API. It follows the name of a new product until it is typed. */
function SlugField({ form }: { form: ProductFormState }) {
  const { base, fields } = form
  const moves = base && !base.hidden && fields.slug !== base.slug
  const address = `${MARKETPLACE}/${fields.slug}`
  const hint = moves ? (
    <span className="text-ink">
      {address}. Programs that ask for {base.slug} by API will not find it any more.
    </span>
  ) : (
    address
  )
  return (
    <TextField
      form={form}
      name="slug"
      label={productLabels.slug}
      hint={<span className="wrap-anywhere">{hint}</span>}
      className="font-mono"
    />
  )
}

/** Formats, price and visibility. */
function OfferFields({ form }: { form: ProductFormState }) {
  const { fields, errors, change } = form
  return (
    <Card as="section" aria-label="Offer" className="grid gap-4">
      <PriceField form={form} />
      {centsOf(fields.price) !== 0 && (
        <Field label={productLabels.priceIncludes} name="priceIncludes" hint="Other prices, such as of subscriptions, are under Prices.">
          <Select
            value={fields.priceIncludes}
            onChange={({ target }) => change({ priceIncludes: onceIncludes.find((each) => each === target.value) ?? 'year' })}
          >
            {onceIncludes.map((each) => (
              <option key={each} value={each}>
                {includesWords[each]}
              </option>
            ))}
          </Select>
        </Field>
      )}
      <div className="grid justify-items-start gap-1 border-t border-line pt-3">
        <Switch label={productLabels.hasFile} checked={fields.hasFile} onChange={(hasFile) => change({ hasFile })} />
        <Switch label={productLabels.hasApi} checked={fields.hasApi} onChange={(hasApi) => change({ hasApi })} />
        {errors['hasFile'] && <FieldError name="hasFile">{errors['hasFile']}</FieldError>}
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
            ? `After you save, only staff can see it.${form.base && !form.base.hidden ? ' Customers lose access until you publish it again.' : ''}`
            : 'After you save, everyone can see it. Data appears with the first version that you publish.'}
        </p>
      </div>
    </Card>
  )
}

/** Typed as a decimal amount. The price that customers will see is shown below. */
function PriceField({ form }: { form: ProductFormState }) {
  const cents = centsOf(form.fields.price)
  return (
    <div className="grid content-start gap-1.5">
      <TextField form={form} name="price" label={productLabels.price} inputMode="decimal" placeholder="19.99" hint="0 makes it free." />
      <output htmlFor="field-price" className="min-h-6 text-small text-muted">
        {cents !== undefined && (
          <>
            <span className="font-mono font-semibold text-ink">{priceInWords(cents)}</span>
            {cents === 0
              ? ': everyone with a confirmed email address has access.'
              : ': customers buy it. Where nothing is paid online, they request access, and you grant it.'}
          </>
        )}
      </output>
    </div>
  )
}
