import { db } from '#app/platform/db.server.ts'
import { openFile, type StoredFile } from '#app/storage/storage.server.ts'
import { imageAddress } from './picture.ts'

/** A file of a picture, by its address; nothing where there is none, or where the picture was removed. */
export async function openImage(address: string): Promise<(StoredFile & { type: string }) | undefined> {
  const { id, width, format } = imageAddress(address) ?? {}
  if (!id || !width) return undefined
  const row = await db.selectFrom('images').select('widths').where('id', '=', id).executeTakeFirst()
  if (!row?.widths.includes(width)) return undefined
  const file = await openFile(`images/${id}/${width}.${format}`)
  return file && { ...file, type: `image/${format}` }
}
