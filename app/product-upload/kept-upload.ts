import { z } from 'zod/mini'

/** What this browser remembers of an upload that is not whole yet: a file chosen again goes on where it stopped. */
const keptUpload = z.object({ id: z.string(), fileName: z.string(), bytes: z.number(), modified: z.number() })

export type KeptUpload = z.infer<typeof keptUpload>

const keyOf = (productId: string) => `winnow:upload:${productId}`

export function keepUpload(productId: string, upload: KeptUpload): void {
  try {
    localStorage.setItem(keyOf(productId), JSON.stringify(upload))
  } catch {
    // Where nothing can be kept, the upload goes on as long as the page is open.
  }
}

export function findKeptUpload(productId: string): KeptUpload | undefined {
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
    // Where nothing can be kept, nothing was.
  }
}

type Chosen = { name: string; size: number; lastModified: number }

/** Why a chosen file is not the one whose beginning has arrived; nothing when it is. */
export function differenceTo({ fileName, bytes, modified }: KeptUpload, file: Chosen): string | undefined {
  if (file.name !== fileName) return `This is ${file.name}, but the beginning of ${fileName} has arrived. Choose that one, or begin anew.`
  if (file.size !== bytes || file.lastModified !== modified)
    return `${fileName} has been changed since its beginning was sent. Begin anew with it.`
  return undefined
}
