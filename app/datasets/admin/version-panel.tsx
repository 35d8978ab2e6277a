import { useEffect, useRef } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import type { StaffProduct } from '#app/datasets/catalog/product.ts'
import type { StaffVersion } from '#app/datasets/catalog/version.ts'
import { formatOf } from '#app/datasets/catalog/format.ts'
import { Empty } from '#app/ui/empty.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { ColumnTypes } from './column-types.tsx'
import { renewProduct } from './product-urls.ts'
import { MendColumns } from './mend-columns.tsx'
import { UploadPanel } from './upload-panel.tsx'
import { VersionActions } from './version-actions.tsx'
import { VersionCard } from './version-card.tsx'
import { useUploadOf } from './use-upload-of.tsx'
import { useVersions } from './use-products.tsx'

/** The versions of a product: upload, review, publish, and roll back. */
export function VersionPanel({ product }: { product: StaffProduct }) {
  const versions = useVersions(product.id)
  useProductAfterReading(versions.data)
  return (
    <div className="grid grid-cols-1 gap-8">
      <section aria-labelledby="new-version" className="grid grid-cols-1 gap-3">
        <h2 id="new-version" className="text-h3">
          New version
        </h2>
        <UploadPanel productId={product.id} versions={versions.data} />
      </section>
      <section aria-labelledby="versions" className="grid grid-cols-1 gap-3">
        <h2 id="versions" className="text-h3">
          Versions
        </h2>
        {versions.isPending && (
          <div>
            <Loading>Loading versions...</Loading>
            <Skeleton lines={6} />
          </div>
        )}
        {versions.isError && <Failed title="Failed to fetch versions" error={versions.error} retry={versions.refetch} />}
        {versions.data && <Versions product={product} versions={versions.data} />}
      </section>
    </div>
  )
}

function Versions({ product, versions }: { product: StaffProduct; versions: StaffVersion[] }) {
  if (versions.length === 0) {
    return (
      <Empty title="No data yet">
        <p>Upload a file. It is imported and checked here; customers see it only after you publish it.</p>
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
          actions={<VersionActions product={product} version={version} />}
        >
          {version.headFaults.length > 0 && <MendColumns productId={product.id} version={version} />}
          {isReadable(version) && <ColumnTypes productId={product.id} version={version} />}
          {at === 0 && <ArrivedWhole productId={product.id} version={version} />}
        </VersionCard>
      ))}
    </ol>
  )
}

/** Parquet has types of its own. A rejected version can be read in another way if it was read before. */
function isReadable({ state, columns, originalName }: StaffVersion): boolean {
  return columns.length > 0 && (state === 'ready' || state === 'refused') && formatOf(originalName) !== 'parquet'
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

/** Shows whether the server has, byte for byte, the file that this window sent. */
function ArrivedWhole({ productId, version }: { productId: string; version: StaffVersion }) {
  const upload = useUploadOf(productId)
  // A version has the id of its upload.
  if (!upload?.checksum || upload.id !== version.id) return null
  if (upload.checksum === version.originalSha256) return <p className="text-small text-leaf">Upload verified: both checksums match.</p>
  return (
    <p role="alert" className="rounded-control bg-alarm-wash p-3 text-small">
      The checksums differ: the file changed during the upload. Delete this version and upload the file again.
    </p>
  )
}
