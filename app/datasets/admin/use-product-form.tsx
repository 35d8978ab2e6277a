import { useState } from 'react'
import type { StaffProduct } from '#app/datasets/catalog/product.ts'
import {
  type ProductFieldChange,
  productFields,
  isSameProduct,
  readProductFields,
  editProduct,
  newProductEdit,
  changeProductField,
  type ProductEdit,
} from './product-fields.ts'
import { useSaveProduct } from './use-save-product.tsx'

type Given = {
  /** The product to change; without one, the form creates one. */
  product: StaffProduct | undefined
  onSaved: (product: StaffProduct) => void
}

export type ProductFormState = ReturnType<typeof useProductForm>

/** The form state: fields, errors, and the product version that the edits are based on. */
export function useProductForm({ product, onSaved }: Given) {
  const [base, setBase] = useState(product)
  const [writing, setWriting] = useState<ProductEdit>(() => (product ? editProduct(product) : newProductEdit()))
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [conflict, setConflict] = useState<StaffProduct>()
  const begin = (from: StaffProduct) => {
    setBase(from)
    setWriting(editProduct(from))
    setErrors({})
  }
  const save = useSaveProduct({
    onSaved(saved) {
      begin(saved)
      onSaved(saved)
    },
    onRefused: setErrors,
    onConflict: setConflict,
  })
  const { fields } = writing

  function submit(over = base) {
    const { body, errors: found = {} } = readProductFields(fields)
    setErrors(found)
    if (body) save.mutate({ body, over })
  }

  /** An error disappears once its field is edited. */
  const change = (given: ProductFieldChange) => {
    setWriting((now) => changeProductField(now, given))
    const names = Object.keys(given)
    setErrors((known) => Object.fromEntries(Object.entries(known).filter(([path]) => !names.includes(path.split('.')[0] ?? path))))
  }

  return {
    base,
    fields,
    errors,
    conflict,
    isSaving: save.isPending,
    isChanged: !isSameProduct(fields, base ? productFields(base) : newProductEdit().fields),
    change,
    submit,
    /** Resolves a conflict on top of the newer version: with these edits, or with theirs. */
    settle(newer: StaffProduct, keep: 'mine' | 'theirs') {
      setConflict(undefined)
      if (keep === 'theirs') return begin(newer)
      setBase(newer)
      submit(newer)
    },
    leaveConflict: () => setConflict(undefined),
  }
}
