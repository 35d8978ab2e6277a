import { PRODUCTS } from '#app/datasets/catalog/addresses.ts'
import { type StaffProduct, staffProduct } from '#app/datasets/catalog/product.ts'
import { useEditForm } from '#app/ui/admin/use-edit-form.ts'
import { changeProductField, editProduct, isSameProduct, newProductEdit, productFields, readProductFields } from './product-fields.ts'
import { productAddresses } from './product-urls.ts'

type Given = {
  /** The product to change; without one, the form creates one. */
  product: StaffProduct | undefined
  onSaved: (product: StaffProduct) => void
}

export type ProductFormState = ReturnType<typeof useProductForm>

/** The form stays open after a save. */
export function useProductForm({ product, onSaved }: Given) {
  const form = useEditForm({
    noun: 'Product',
    url: PRODUCTS,
    schema: staffProduct,
    row: product,
    begin: () => (product ? editProduct(product) : newProductEdit()),
    editOf: editProduct,
    apply: changeProductField,
    check: readProductFields,
    touches: productAddresses,
    onSaved(saved, begin) {
      begin(saved)
      onSaved(saved)
    },
  })
  const { base, fields } = form
  return { ...form, isChanged: !isSameProduct(fields, base ? productFields(base) : newProductEdit().fields) }
}
