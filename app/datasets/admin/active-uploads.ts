import type { SendProgress } from './sender.ts'

/** An upload in progress. */
export type ActiveUpload = {
  productId: string
  id: string
  fileName: string
  progress: SendProgress
  /** Of the local file, once it is computed. */
  checksum: string | undefined
}

/** Module state, apart from the code that sends, which a page loads only for an upload. */
let uploads: readonly ActiveUpload[] = []
const listeners = new Set<() => void>()

export const listUploads = () => uploads

export function subscribeToUploads(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function addUpload(upload: ActiveUpload): void {
  update([...uploads, upload])
}

export function changeUpload(id: string, changes: Partial<ActiveUpload>): void {
  update(uploads.map((upload) => (upload.id === id ? { ...upload, ...changes } : upload)))
}

export function removeUpload(productId: string): void {
  update(uploads.filter((upload) => upload.productId !== productId))
}

function update(next: readonly ActiveUpload[]) {
  uploads = next
  for (const listener of listeners) listener()
}
