import { kindOfPicture, NO_PICTURE } from '#app/platform/storage/picture-kind.ts'
import { findSameImage, storeImage } from '#app/blog/images/image.server.ts'
import { findImageReferences } from '#app/blog/images/picture.server.ts'
import { type Image, MOST_ALT } from '#app/blog/images/image.ts'
import { characterCount, oneLine } from '#app/platform/clean-text.ts'
import { Stop } from '#app/platform/stop.ts'
import { imageAddress } from '#app/blog/images/picture.ts'
import type { ArchiveFile } from './archive.server.ts'

/** The outcome for an image of an archive: its URL here, or the reason for its refusal. Both are missing until it is imported. */
export type ImportedImage = { url?: string; reason?: string; isNew: boolean }

type Context = { dry: boolean; editorId: string; alt: string; link: string }

/**
 * Imports an image of an archive unless it exists. An image from our own export keeps its id, so links to it stay valid. A dry run imports
 * nothing.
 */
export async function importImage({ name, read }: ArchiveFile, { dry, editorId, alt, link }: Context): Promise<ImportedImage> {
  const bytes = await read()
  if (!bytes) return { reason: 'it is damaged', isNew: false }
  if (!kindOfPicture(bytes)) return { reason: NO_PICTURE, isNew: false }
  const known = await findSameImage(bytes)
  if (known) return { url: sameAddress(link, known), isNew: false }
  if (dry) return { isNew: true }
  try {
    const [, id] = /(?:^|\/)images\/([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\/[^/]+$/.exec(name) ?? []
    const given = oneLine(alt)
    const kept = await storeImage(bytes, { name, id, ...(characterCount(given) <= MOST_ALT && { alt: given }) }, editorId)
    return { url: sameAddress(link, kept), isNew: true }
  } catch (error) {
    if (error instanceof Stop) return { reason: error.data, isNew: false }
    throw error
  }
}

/** Whether a link points to an image in the library. */
export async function isKnownPicture(link: string): Promise<boolean> {
  const { id } = imageAddress(link) ?? {}
  return id !== undefined && (await findImageReferences([id])).size > 0
}

/** A link to any size of the image stays as it is. */
function sameAddress(link: string, { id, url }: Image): string {
  return imageAddress(link)?.id === id ? link : url
}
