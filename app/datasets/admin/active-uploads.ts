import { ImportRefusal } from '#app/ui/admin/use-import.ts'
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

/** Uploads on their way to an id, by product: the checksum of a large file takes a moment. */
const beginnings = new Map<string, { fileName: string; begun: Promise<void> }>()

export const beginningOf = (productId: string) => beginnings.get(productId)

export async function noteBeginning(productId: string, fileName: string, begun: Promise<void>): Promise<void> {
  beginnings.set(productId, { fileName, begun })
  try {
    await begun
  } finally {
    beginnings.delete(productId)
  }
}

/** Rejects where the upload fails or is canceled. A lost connection is waited for. */
export function whenArrived(id: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const look = () => {
      const state = uploads.find((upload) => upload.id === id)?.progress.state ?? {
        kind: 'failed',
        error: new ImportRefusal('The upload was canceled.'),
      }
      if (state.kind !== 'arrived' && state.kind !== 'failed') return
      end()
      if (state.kind === 'arrived') resolve()
      else reject(state.error)
    }
    const end = subscribeToUploads(look)
    look()
  })
}

function update(next: readonly ActiveUpload[]) {
  uploads = next
  for (const listener of listeners) listener()
}
