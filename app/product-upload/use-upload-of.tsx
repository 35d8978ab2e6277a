import { useSyncExternalStore } from 'react'
import { listUploads, subscribeToUploads, type Upload } from './uploads.ts'

const none: readonly Upload[] = []

function useUploads(): readonly Upload[] {
  return useSyncExternalStore(subscribeToUploads, listUploads, () => none)
}

/** The file that is on its way to a product, or has just arrived. */
export function useUploadOf(productId: string): Upload | undefined {
  return useUploads().find((upload) => upload.productId === productId)
}

/** Whether closing the window would cut a file off. */
export function useIsSending(): boolean {
  return useUploads().some(({ progress: { state } }) => state.kind === 'sending' || state.kind === 'waiting')
}
