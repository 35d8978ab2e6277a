import type { ReactNode } from 'react'
import { OfferFields } from './offer-fields.tsx'
import { ProductSection } from './part.tsx'
import { ProductSlugField } from './slug-field.tsx'
import { ProductTextField } from './text-field.tsx'
import type { ProductFormState } from './use-product-form.tsx'

const frequencies = ['Hourly', 'Daily', 'Weekly', 'Monthly', 'Quarterly', 'Once']

type FormFieldsProps = { form: ProductFormState; /** Of the other products. */ categories: readonly string[]; children: ReactNode }

/** `children` are the columns and the quality checks. */
export function ProductFormFields({ form, categories, children }: FormFieldsProps) {
  return (
    <>
      <div className="grid gap-5 md:grid-cols-2">
        <ProductTextField form={form} name="name" label="Name" hint="Shown on its card and as the page title." />
        <ProductSlugField form={form} />
      </div>
      <div className="grid items-start gap-6 lg:grid-cols-[1fr_22rem]">
        <div className="grid grid-cols-1 gap-5">
          <ProductTextField
            form={form}
            name="description"
            label="Description"
            long
            className="min-h-20"
            hint="A sentence or two for its card."
          />
          <div className="grid gap-5 sm:grid-cols-2">
            <ProductTextField
              form={form}
              name="category"
              label="Category"
              list={categories}
              placeholder="Prices"
              hint="A tab of the marketplace."
            />
            <ProductTextField
              form={form}
              name="updateFrequency"
              label="Updated"
              optional
              list={frequencies}
              placeholder="Daily"
              hint="How often you publish a new version."
            />
          </div>
          <ProductTextField
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
          <ProductTextField form={form} name="source" label="Source" optional hint="Publisher of the source data." />
          <ProductTextField form={form} name="lawfulBasis" label="Lawful basis" optional hint="Why it may be gathered and sold." />
          <ProductTextField form={form} name="licence" label="Licence" optional hint="Permitted use of the data." />
          <ProductTextField
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
