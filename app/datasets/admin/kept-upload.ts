import { z } from 'zod/mini'

/** An unfinished upload in localStorage: choosing the same file again resumes it. */
const keptUpload = z.object({ id: z.string(), fileName: z.string(), bytes: z.number(), modified: z.number() })

export type SavedUpload = z.infer<typeof keptUpload>

const keyOf = (productId: string) => `winnow:upload:${productId}`

export function saveUpload(productId: string, upload: SavedUpload): void {
  try {
    localStorage.setItem(keyOf(productId), JSON.stringify(upload))
  } catch {
    // Without storage, the upload lasts as long as the page is open.
  }
}

export function findSavedUpload(productId: string): SavedUpload | undefined {
  try {
    const read = keptUpload.safeParse(JSON.parse(localStorage.getItem(keyOf(productId)) ?? 'null'))
    return read.success ? read.data : undefined
  } catch {
    return undefined
  }
}

export function forgetUpload(productId: string): void {
  try {
    localStorage.removeItem(keyOf(productId))
  } catch {
    // Without storage, there is nothing to delete.
  }
}

type Chosen = { name: string; size: number; lastModified: number }

/** Returns why a chosen file is not the one that was partly uploaded, or undefined if it is. */
export function differenceTo({ fileName, bytes, modified }: SavedUpload, file: Chosen): string | undefined {
  if (file.name !== fileName) return `This is ${file.name}, but part of ${fileName} was uploaded. Choose that one, or start over.`
  if (file.size !== bytes || file.lastModified !== modified) return `${fileName} has changed since its upload started. Start over with it.`
  return undefined
}
