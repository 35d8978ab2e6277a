import { useSyncExternalStore } from 'react'
import { listUploads, subscribeToUploads, type ActiveUpload } from './active-uploads.ts'

const none: readonly ActiveUpload[] = []

function useUploads(): readonly ActiveUpload[] {
  return useSyncExternalStore(subscribeToUploads, listUploads, () => none)
}

/** The upload to a product that is running or has just finished. */
export function useUploadOf(productId: string): ActiveUpload | undefined {
  return useUploads().find((upload) => upload.productId === productId)
}

/** Whether closing the window would interrupt an upload. */
export function useIsSending(): boolean {
  return useUploads().some(({ progress: { state } }) => state.kind === 'sending' || state.kind === 'waiting')
}
