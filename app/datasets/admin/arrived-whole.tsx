import type { StaffVersion } from '#app/datasets/catalog/version.ts'
import { useUploadOf } from './use-upload-of.tsx'

/** Shows whether the server has, byte for byte, the file that this window sent. */
export function ArrivedWhole({ productId, version }: { productId: string; version: StaffVersion }) {
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
