import { useState } from 'react'
import { tellFailure } from '#app/admin-view/tell-failure.ts'
import { useView } from '#app/admin-view/use-view.tsx'
import type { StaffProduct } from '#app/datasets/product.ts'
import { nameOfFile } from '#app/product-form/product-fields.ts'
import { ProductForm } from '#app/product-form/product-form.tsx'
import { useProducts } from '#app/product-form/use-products.tsx'
import { DatasetDrop } from '#app/product-upload/dataset-drop.tsx'
import { startUpload } from '#app/product-upload/uploads.ts'
import { bytesInWords } from '#app/ui/amount.ts'
import { Button } from '#app/ui/button.tsx'
import { categoriesOf } from './product-view.ts'

/** A product is described, and its first file may be chosen at once: it is sent as soon as the product is made. */
export function NewProduct() {
  const { change } = useView()
  const { data: list = [] } = useProducts()
  const [file, setFile] = useState<File>()
  async function open({ id }: StaffProduct) {
    change({ new: undefined, edit: id, tab: 'data' }, { replace: true })
    if (!file) return
    try {
      await startUpload(id, file, '')
    } catch (error) {
      tellFailure('The upload has not begun', error instanceof Error ? error : new Error('The upload has not begun'))
    }
  }
  return (
    <ProductForm
      columns={[]}
      categories={categoriesOf(list)}
      onSaved={(product) => void open(product)}
      onCancel={() => change({ new: undefined })}
    >
      {(propose) => (
        <ChosenFile
          file={file}
          choose={(chosen) => {
            setFile(chosen)
            if (chosen) propose(nameOfFile(chosen.name))
          }}
        />
      )}
    </ProductForm>
  )
}

function ChosenFile({ file, choose }: { file: File | undefined; choose: (file: File | undefined) => void }) {
  if (!file) return <DatasetDrop label="Data file" take={choose} />
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 rounded-card border border-line bg-surface px-5 py-4">
      <p role="status" className="min-w-0 text-small wrap-anywhere">
        <span className="font-mono font-semibold">{file.name}</span> ({bytesInWords(file.size)}) is sent as soon as the product is made.
      </p>
      <Button type="button" look="quiet" size="small" onClick={() => choose(undefined)}>
        Take it away
      </Button>
    </div>
  )
}
