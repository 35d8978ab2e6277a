import type { StaffVersion } from '#app/datasets/version.ts'
import { useUploadOf } from '#app/product-upload/use-upload-of.tsx'

/** Whether what the server has read is, byte for byte, the file that was sent from this window. */
export function ArrivedWhole({ productId, version }: { productId: string; version: StaffVersion }) {
  const upload = useUploadOf(productId)
  // A version has the id of the upload that it came by.
  if (!upload?.checksum || upload.id !== version.id) return null
  if (upload.checksum === version.originalSha256)
    return <p className="text-small text-leaf">Arrived byte for byte: both checksums are equal.</p>
  return (
    <p role="alert" className="rounded-control bg-alarm-wash p-3 text-small">
      The checksum of what has arrived is not that of the file here: it was changed on its way, or while it was sent. Delete this version
      and send the file again.
    </p>
  )
}
