import { PRODUCTS } from '#app/datasets/catalog/addresses.ts'
import { PART_BYTES, TUS_VERSION, UPLOADS } from '#app/datasets/import/upload.ts'
import { ApiError, apiRequest } from '#app/platform/browser/api.ts'
import { announceChange } from '#app/platform/browser/data-changed.ts'
import { addUpload, changeUpload, listUploads, noteBeginning, removeUpload } from './active-uploads.ts'
import { findSavedUpload, forgetUpload, saveUpload } from './kept-upload.ts'
import { type SendProgress, UploadSender } from './sender.ts'

/** Uploads continue while other pages are viewed. */
const senders = new Map<string, UploadSender>()
const uploadUrl = (id: string) => `${UPLOADS}/${encodeURIComponent(id)}`
const tus = { 'tus-resumable': TUS_VERSION }

/**
 * How long an upload waits for its checksum, in milliseconds, so that the server can verify it. The checksum of a large file is compared
 * by the page at the end.
 */
const CHECKSUM_MS = 1_500

export function startUpload(productId: string, file: File): Promise<void> {
  return noteBeginning(productId, file.name, begin(productId, file))
}

async function begin(productId: string, file: File): Promise<void> {
  const checksum = checksumOf(file)
  const sha256 = await Promise.race([checksum, new Promise<undefined>((resolve) => setTimeout(resolve, CHECKSUM_MS, undefined))])
  const id = await requestUpload(file, { productId, filename: file.name, ...(sha256 && { sha256 }) })
  saveUpload(productId, { id, fileName: file.name, bytes: file.size, modified: file.lastModified })
  send(productId, file, { id, checksum })
}

/** Resumes with the same file: the part that has arrived stays. */
export function continueUpload(productId: string, file: File): void {
  const kept = findSavedUpload(productId)
  if (kept) send(productId, file, { id: kept.id, checksum: checksumOf(file) })
}

export function pauseUpload(productId: string): void {
  senders.get(productId)?.pause()
}

export function resumeUpload(productId: string): void {
  void senders.get(productId)?.go()
}

/** Cancels the upload and deletes the part that has arrived. */
export async function cancelUpload(productId: string): Promise<void> {
  const id = listUploads().find((upload) => upload.productId === productId)?.id ?? findSavedUpload(productId)?.id
  forgetUpload(productId)
  dismissUpload(productId)
  if (id) await requestUploadDeletion(id)
}

function dismissUpload(productId: string): void {
  senders.get(productId)?.end()
  senders.delete(productId)
  removeUpload(productId)
}

type Beginning = { id: string; checksum: Promise<string | undefined> }

function send(productId: string, file: File, { id, checksum: reading }: Beginning) {
  dismissUpload(productId)
  const progress: SendProgress = { sent: 0, bytes: file.size, state: { kind: 'sending', perSecond: undefined } }
  addUpload({ productId, id, fileName: file.name, progress, checksum: undefined })
  const sender = new UploadSender({
    bytes: file.size,
    chunkBytes: PART_BYTES,
    uploadUrl: uploadUrl(id),
    // Only people who upload need it.
    open: async (options) => new (await import('tus-js-client')).Upload(file, options),
    now: () => performance.now(),
    later(callback, ms) {
      const timer = setTimeout(callback, ms)
      window.addEventListener('online', callback)
      return () => {
        clearTimeout(timer)
        window.removeEventListener('online', callback)
      }
    },
    onProgress(now) {
      if (isFinished(now)) forgetUpload(productId)
      if (now.state.kind === 'arrived') announceChange(PRODUCTS, '/api/admin/data-products')
      changeUpload(id, { progress: now })
    },
  })
  senders.set(productId, sender)
  void sender.go()
  void reading.then((checksum) => changeUpload(id, { checksum }))
}

/** Begins an upload by the tus protocol, and returns its id. With a `sha256`, the server refuses a file that differs. */
async function requestUpload(file: File, metadata: Record<string, string>): Promise<string> {
  const encoded = Object.entries(metadata).map(([name, value]) => `${name} ${base64(value)}`)
  const headers = { ...tus, 'upload-length': String(file.size), 'upload-metadata': encoded.join(',') }
  const { headers: answered } = await apiRequest('POST', UPLOADS, undefined, { headers })
  return answered.get('location')?.split('/').at(-1) ?? ''
}

/** Deletes a partial upload. It is fine if it is gone already. */
async function requestUploadDeletion(id: string): Promise<void> {
  try {
    await apiRequest('DELETE', uploadUrl(id), undefined, { headers: tus })
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error
  }
}

function base64(text: string): string {
  return btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCodePoint(byte)).join(''))
}

/** Whether it has ended: complete or refused. An upload that needs a sign-in resumes after it. */
function isFinished({ state }: SendProgress): boolean {
  if (state.kind !== 'failed') return state.kind === 'arrived'
  return state.error instanceof ApiError && state.error.status !== 401 && state.error.status !== 403
}

/** Computes the SHA-256 of a file in a worker. Undefined if that fails: then only the server computes one. */
function checksumOf(file: File): Promise<string | undefined> {
  return new Promise((resolve) => {
    const worker = new Worker(new URL('./checksum-worker.ts', import.meta.url), { type: 'module' })
    const end = (checksum: unknown) => {
      worker.terminate()
      resolve(typeof checksum === 'string' ? checksum : undefined)
    }
    worker.addEventListener('message', ({ data }: MessageEvent<unknown>) => end(data))
    worker.addEventListener('error', () => end(undefined))
    // The worker is same-origin, and its messages have no target origin.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    worker.postMessage(file)
  })
}
