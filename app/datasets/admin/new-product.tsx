import { useState } from 'react'
import { showFailure } from '#app/ui/admin/tell-failure.ts'
import { useView } from '#app/ui/admin/use-view.tsx'
import type { StaffProduct } from '#app/datasets/catalog/product.ts'
import { nameOfFile } from './product-fields.ts'
import { ProductForm } from './product-form.tsx'
import { useProducts } from './use-products.tsx'
import { DATASET_FILES, refusalOf } from './dataset-file.ts'
import { startUpload } from './uploads.ts'
import { bytesInWords } from '#app/ui/amount.ts'
import { Button } from '#app/ui/button.tsx'
import { FileDrop } from '#app/ui/file-drop.tsx'
import { toast } from '#app/ui/toast.ts'
import { categoriesInUse } from './product-view.ts'

/** A new product, optionally with its first file: the upload starts once the product exists. */
export function NewProduct() {
  const { change } = useView()
  const { data: list = [] } = useProducts()
  const [file, setFile] = useState<File>()
  async function open({ id }: StaffProduct) {
    // Starts before the dialog opens, so that the dialog can show and continue the upload.
    const begun = file && startUpload(id, file)
    change({ new: undefined, edit: id, tab: 'data', import: file && 'new' }, { replace: true, fromTop: true })
    try {
      await begun
    } catch (error) {
      showFailure('Upload not started', error instanceof Error ? error : new Error('Upload not started'))
    }
  }
  return (
    <ProductForm
      columns={[]}
      categories={categoriesInUse(list)}
      onSaved={(product) => void open(product)}
      onCancel={() => change({ new: undefined }, { fromTop: true })}
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
  if (!file) {
    return (
      <FileDrop label="Data file" accept={DATASET_FILES} verb="Choose a file" take={(files) => files?.[0] && take(files[0], choose)}>
        <p className="text-small text-muted">Or drop one here: CSV, JSON, JSONL or Parquet, up to 2 GB.</p>
      </FileDrop>
    )
  }
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 rounded-card border border-line bg-surface px-5 py-4">
      <p role="status" className="min-w-0 text-small wrap-anywhere">
        <span className="font-mono font-semibold">{file.name}</span> ({bytesInWords(file.size)}) will be uploaded when you create the
        product.
      </p>
      <Button type="button" look="quiet" size="small" onClick={() => choose(undefined)}>
        Remove file
      </Button>
    </div>
  )
}

function take(file: File, choose: (file: File) => void) {
  const refusal = refusalOf(file)
  if (refusal) toast({ title: 'This file cannot be uploaded', description: refusal, look: 'danger' })
  else choose(file)
}
