import { useEffect, useRef } from 'react'
import type { Column } from '#app/datasets/catalog/column.ts'
import type { StaffProduct } from '#app/datasets/catalog/product.ts'
import { Button } from '#app/ui/button.tsx'
import { SubmitButton } from '#app/ui/submit-button.tsx'
import { ColumnTable } from './column-table.tsx'
import { ConflictDialog } from '#app/ui/admin/comparison-dialog.tsx'
import { Form } from '#app/ui/admin/form.tsx'
import { ProductFormFields } from './form-fields.tsx'
import { GateRules } from './gate-rules.tsx'
import { compareProducts } from './product-fields.ts'
import { useProductForm } from './use-product-form.tsx'

type ProductFormProps = {
  /** The product to change; without one, the form creates one. */
  product?: StaffProduct
  /** Of its newest version. */
  columns: readonly Column[]
  categories: readonly string[]
  onSaved: (product: StaffProduct) => void
  onCancel: () => void
  /** Shown above the fields; may propose a name. */
  children?: (propose: (name: string) => void) => React.ReactNode
}

export function ProductForm({ product, columns, categories, onSaved, onCancel, children }: ProductFormProps) {
  // Opened in place of the form after saving: by then, there are no unsaved changes to warn about.
  const saved = useRef<StaffProduct>(undefined)
  const form = useProductForm({ product, onSaved: (made) => (saved.current = made) })
  useEffect(() => {
    if (!saved.current || form.isChanged) return
    const made = saved.current
    saved.current = undefined
    onSaved(made)
  })
  const isNew = !product
  const [idle, pending] = isNew ? ['Create', 'Creating...'] : ['Update', 'Updating...']
  return (
    <Form form={form} aria-label={isNew ? 'New product' : 'Product'} className="grid grid-cols-1 gap-6">
      {isNew && <h2 className="text-h3">New product</h2>}
      {children?.((name) => form.fields.name === '' && form.change({ name }))}
      <ProductFormFields form={form} categories={categories} isNew={isNew}>
        <ColumnTable form={form} columns={columns} />
        <GateRules form={form} hasColumns={columns.length > 0} />
      </ProductFormFields>
      <div
        data-action-bar
        className="sticky bottom-0 z-10 -mx-2 flex flex-wrap items-center justify-end gap-3 border-t border-line bg-paper px-2 py-3"
      >
        <p role="status" className="grow text-small text-muted">
          {form.isChanged && 'Not saved yet'}
        </p>
        <Button type="button" look="quiet" onClick={onCancel}>
          Cancel
        </Button>
        <SubmitButton pending={pending}>{idle}</SubmitButton>
      </div>
      <ConflictDialog form={form} noun="product" differencesTo={(newer) => compareProducts(form.fields, newer)} />
    </Form>
  )
}
