import type { ReactNode } from 'react'
import { OfferFields } from './offer-fields.tsx'
import { Part } from './part.tsx'
import { SlugField } from './slug-field.tsx'
import { TextField } from './text-field.tsx'
import type { ProductFormState } from './use-product-form.tsx'

const frequencies = ['Hourly', 'Daily', 'Weekly', 'Monthly', 'Quarterly', 'Once']

type FormFieldsProps = { form: ProductFormState; /** Of the other products. */ categories: readonly string[]; children: ReactNode }

/** `children` are what is said of single columns, and the gate. */
export function FormFields({ form, categories, children }: FormFieldsProps) {
  return (
    <>
      <div className="grid gap-5 md:grid-cols-2">
        <TextField form={form} name="name" label="Name" hint="Stands on its card and above its page." />
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
              hint="How often a new version comes."
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
      <Part title="Where the data come from">
        <div className="grid gap-5 md:grid-cols-2">
          <TextField form={form} name="source" label="Source" optional hint="Who publishes what the data were made of." />
          <TextField form={form} name="lawfulBasis" label="Lawful basis" optional hint="Why it may be gathered and sold." />
          <TextField form={form} name="licence" label="Licence" optional hint="What customers may do with it." />
          <TextField
            form={form}
            name="licenceUrl"
            label="Address of the licence"
            optional
            inputMode="url"
            placeholder="https://"
            hint="Where its text stands."
          />
        </div>
      </Part>
      {children}
    </>
  )
}
