import { MARKETPLACE } from '#app/datasets/catalog/addresses.ts'
import { ProductTextField } from './text-field.tsx'
import type { ProductFormState } from './use-product-form.tsx'

/** The slug of the product, for its page and the API. It follows the name of a new product until it is typed. */
export function ProductSlugField({ form }: { form: ProductFormState }) {
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
    <ProductTextField form={form} name="slug" label="Slug" hint={<span className="wrap-anywhere">{hint}</span>} className="font-mono" />
  )
}
