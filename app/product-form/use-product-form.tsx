import { useState } from 'react'
import type { StaffProduct } from '#app/datasets/product.ts'
import { type Change, fieldsOf, isSame, readFields, startFrom, startNew, write, type Writing } from './product-fields.ts'
import { useSaveProduct } from './use-save-product.tsx'

type Given = {
  /** The product to change; without one, a new one is made. */
  product: StaffProduct | undefined
  onSaved: (product: StaffProduct) => void
}

export type ProductFormState = ReturnType<typeof useProductForm>

/** What is typed, what is wrong with it, and upon which version of the product it is written. */
export function useProductForm({ product, onSaved }: Given) {
  const [base, setBase] = useState(product)
  const [writing, setWriting] = useState<Writing>(() => (product ? startFrom(product) : startNew()))
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [conflict, setConflict] = useState<StaffProduct>()
  const begin = (from: StaffProduct) => {
    setBase(from)
    setWriting(startFrom(from))
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
    const { body, errors: found = {} } = readFields(fields)
    setErrors(found)
    if (body) save.mutate({ body, over })
  }

  /** What is being corrected is no longer wrong. */
  const change = (given: Change) => {
    setWriting((now) => write(now, given))
    const names = Object.keys(given)
    setErrors((known) => Object.fromEntries(Object.entries(known).filter(([path]) => !names.includes(path.split('.')[0] ?? path))))
  }

  return {
    base,
    fields,
    errors,
    conflict,
    isSaving: save.isPending,
    isChanged: !isSame(fields, base ? fieldsOf(base) : startNew().fields),
    change,
    submit,
    /** Goes on from the newer version that another has saved: with what is written here, or with theirs. */
    settle(newer: StaffProduct, keep: 'mine' | 'theirs') {
      setConflict(undefined)
      if (keep === 'theirs') return begin(newer)
      setBase(newer)
      submit(newer)
    },
    leaveConflict: () => setConflict(undefined),
  }
}
