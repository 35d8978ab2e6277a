import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { StaffProduct } from '#app/datasets/catalog/product.ts'
import type { StaffVersion } from '#app/datasets/catalog/version.ts'
import { useView } from '#app/ui/admin/use-view.tsx'
import { Button } from '#app/ui/button.tsx'
import { Empty } from '#app/ui/empty.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { DatasetImport } from './dataset-import.tsx'
import { findSavedUpload } from './kept-upload.ts'
import { renewProduct } from './product-urls.ts'
import { useUploadOf } from './use-upload-of.tsx'
import { useVersions } from './use-products.tsx'
import { VersionActions } from './version-actions.tsx'
import { VersionCard } from './version-card.tsx'

/** The versions of a product: import, review, publish, and roll back. The URL says which import is open. */
export function VersionPanel({ product }: { product: StaffProduct }) {
  const versions = useVersions(product.id)
  const { params, change } = useView()
  useProductAfterReading(versions.data)
  const open = params.get('import')
  const version = versions.data?.find(({ number }) => String(number) === open)
  return (
    <section aria-labelledby="versions" className="grid grid-cols-1 gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="versions" className="text-h3">
          Versions
        </h2>
        <ImportButton productId={product.id} open={() => change({ import: 'new' })} />
      </div>
      {versions.isPending && (
        <div>
          <Loading>Loading versions...</Loading>
          <Skeleton lines={6} />
        </div>
      )}
      {versions.isError && <Failed title="Failed to fetch versions" error={versions.error} retry={versions.refetch} />}
      {versions.data && (
        <Versions productId={product.id} versions={versions.data} review={(number) => change({ import: String(number) })} />
      )}
      {versions.data && (version ?? open === 'new') && (
        <DatasetImport
          key={open}
          product={product}
          versions={versions.data}
          version={version}
          onClose={() => change({ import: undefined }, { replace: true })}
        />
      )}
    </section>
  )
}

/** An upload goes on while its panel is closed. */
function ImportButton({ productId, open }: { productId: string; open: () => void }) {
  const { fileName, progress } = useUploadOf(productId) ?? {}
  const isSending = progress && progress.state.kind !== 'arrived'
  return (
    <div className="flex flex-wrap items-center gap-3 text-small">
      {isSending && (
        <span className="text-muted wrap-anywhere">
          {fileName}: {Math.floor((progress.sent / progress.bytes) * 100)}% sent
        </span>
      )}
      <Button type="button" onClick={open}>
        {isSending ? 'Show the upload' : findSavedUpload(productId) ? 'Resume the upload' : 'Import a version'}
      </Button>
    </div>
  )
}

type VersionsProps = { productId: string; versions: StaffVersion[]; review: (number: number) => void }

function Versions({ productId, versions, review }: VersionsProps) {
  if (versions.length === 0) {
    return (
      <Empty title="No data yet">
        <p>Import a file. It is checked first; customers see it only after you publish it.</p>
      </Empty>
    )
  }
  return (
    <ol aria-label="Versions" className="grid grid-cols-1 gap-4">
      {versions.map((version, at) => (
        <VersionCard
          key={version.id}
          version={version}
          isNewest={at === 0}
          actions={<VersionActions productId={productId} version={version} review={() => review(version.number)} />}
        />
      ))}
    </ol>
  )
}

/** An import changes the product as well, so reload it. */
function useProductAfterReading(versions: readonly StaffVersion[] | undefined) {
  const client = useQueryClient()
  const isReading = versions?.some(({ state }) => state === 'processing') ?? false
  const was = useRef(isReading)
  useEffect(() => {
    if (was.current && !isReading) void renewProduct(client)
    was.current = isReading
  }, [client, isReading])
}
