import { PRODUCTS } from '#app/datasets/addresses.ts'
import { ApiError } from '#app/platform/api.ts'
import { announceChange } from '#app/platform/data-changed.ts'
import { carrierOf, beginUpload, discardUpload } from './carrier.ts'
import { checksumOf } from './checksum.ts'
import { findKeptUpload, forgetUpload, keepUpload } from './kept-upload.ts'
import { type Progress, Sender } from './sender.ts'

/** A file on its way to a product. */
export type Upload = {
  productId: string
  id: string
  fileName: string
  progress: Progress
  /** Of the file here, once it has been read. */
  checksum: string | undefined
}

/** They go on while other pages are looked at, so they belong to no page. */
let uploads: readonly Upload[] = []
const senders = new Map<string, Sender>()
const listeners = new Set<() => void>()

export const listUploads = () => uploads

export function subscribeToUploads(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const PIECE_BYTES = 8_000_000

/** How long a checksum is waited for in milliseconds, so that the server can check by it. That of a large file is compared at the end, when the page has it. */
const CHECKSUM_MS = 1_500

export async function startUpload(productId: string, file: File, changes: string): Promise<void> {
  const checksum = checksumOf(file)
  const sha256 = await Promise.race([checksum, new Promise<undefined>((resolve) => setTimeout(resolve, CHECKSUM_MS, undefined))])
  const { id, received } = await beginUpload({ productId, fileName: file.name, bytes: file.size, changes, sha256 })
  keepUpload(productId, { id, fileName: file.name, bytes: file.size, modified: file.lastModified })
  send(productId, file, { id, received, checksum })
}

/** The same file again: what has arrived of it stays. */
export function continueUpload(productId: string, file: File): void {
  const kept = findKeptUpload(productId)
  if (kept) send(productId, file, { id: kept.id, received: 0, checksum: checksumOf(file) })
}

export function pauseUpload(productId: string): void {
  senders.get(productId)?.pause()
}

export function resumeUpload(productId: string): void {
  void senders.get(productId)?.go()
}

/** Ends it, and what has arrived is thrown away. */
export async function cancelUpload(productId: string): Promise<void> {
  const id = listUploads().find((upload) => upload.productId === productId)?.id ?? findKeptUpload(productId)?.id
  forgetUpload(productId)
  dismissUpload(productId)
  if (id) await discardUpload(id)
}

/** Takes one that has ended out of sight. */
export function dismissUpload(productId: string): void {
  senders.get(productId)?.end()
  senders.delete(productId)
  update(uploads.filter((upload) => upload.productId !== productId))
}

type Beginning = { id: string; received: number; checksum: Promise<string | undefined> }

function send(productId: string, file: File, { id, received, checksum: reading }: Beginning) {
  dismissUpload(productId)
  const progress: Progress = { sent: received, bytes: file.size, state: { kind: 'sending', perSecond: undefined } }
  update([...uploads, { productId, id, fileName: file.name, progress, checksum: undefined }])
  const sender = new Sender({
    file,
    received,
    pieceBytes: PIECE_BYTES,
    carrier: carrierOf(id),
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
      if (isOver(now)) forgetUpload(productId)
      if (now.state.kind === 'arrived') announceChange(PRODUCTS, '/api/admin/data-products')
      change(id, { progress: now })
    },
  })
  senders.set(productId, sender)
  void sender.go()
  void reading.then((checksum) => change(id, { checksum }))
}

/** Whether nothing of it can go on: it is whole, or refused. Who has to sign in first goes on after that. */
export function isOver({ state }: Progress): boolean {
  if (state.kind !== 'failed') return state.kind === 'arrived'
  return state.error instanceof ApiError && state.error.status !== 401 && state.error.status !== 403
}

function change(id: string, changes: Partial<Upload>) {
  update(uploads.map((upload) => (upload.id === id ? { ...upload, ...changes } : upload)))
}

function update(next: readonly Upload[]) {
  uploads = next
  for (const listener of listeners) listener()
}
