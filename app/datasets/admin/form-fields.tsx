import type { ReactNode } from 'react'
import { OfferFields } from './offer-fields.tsx'
import { ProductSection } from './part.tsx'
import { MARKETPLACE } from '#app/datasets/catalog/addresses.ts'
import { TextField } from '#app/ui/admin/text-field.tsx'
import type { ProductFormState } from './use-product-form.tsx'

const frequencies = ['Hourly', 'Daily', 'Weekly', 'Monthly', 'Quarterly', 'Once']

type FormFieldsProps = { form: ProductFormState; /** Of the other products. */ categories: readonly string[]; children: ReactNode }

/** `children` are the columns and the quality checks. */
export function ProductFormFields({ form, categories, children }: FormFieldsProps) {
  return (
    <>
      <div className="grid gap-5 md:grid-cols-2">
        <TextField form={form} name="name" label="Name" hint="Shown on its card and as the page title." />
        <SlugField form={form} />
      </div>
      <div className="grid items-start gap-6 lg:grid-cols-[1fr_22rem]">
        <div className="grid grid-cols-1 gap-5">
          <TextField form={form} name="description" label="Description" long className="min-h-20" hint="A sentence or two for its card." />
          <div className="grid gap-5 sm:grid-cols-2">
            <TextField
              form={form}
              name="category"
              label="Category"
              list={categories}
              placeholder="Prices"
              hint="A tab of the marketplace."
            />
            <TextField
              form={form}
              name="updateFrequency"
              label="Updated"
              optional
              list={frequencies}
              placeholder="Daily"
              hint="How often you publish a new version."
            />
          </div>
          <TextField
            form={form}
            name="about"
            label="About the data"
            optional
            long
            hint="At length, for its page: what a row is, how it was gathered, what is missing. An empty line begins a paragraph."
          />
        </div>
        <OfferFields form={form} />
      </div>
      <ProductSection title="Data source">
        <div className="grid gap-5 md:grid-cols-2">
          <TextField form={form} name="source" label="Source" optional hint="Publisher of the source data." />
          <TextField form={form} name="lawfulBasis" label="Lawful basis" optional hint="Why it may be gathered and sold." />
          <TextField form={form} name="licence" label="License" optional hint="Permitted use of the data." />
          <TextField
            form={form}
            name="licenceUrl"
            label="License URL"
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
  return <TextField form={form} name="slug" label="Slug" hint={<span className="wrap-anywhere">{hint}</span>} className="font-mono" />
}
