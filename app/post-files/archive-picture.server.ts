import { kindOfPicture, NO_PICTURE } from '#app/decoding/picture-kind.ts'
import { findSameImage, keepImage } from '#app/images/image.server.ts'
import { findPictures } from '#app/images/picture.server.ts'
import { type Image, MOST_ALT } from '#app/images/image.ts'
import { characterCount, oneLine } from '#app/platform/clean-text.ts'
import { Stop } from '#app/platform/stop.ts'
import { imageAddress } from '#app/images/picture.ts'
import type { ArchiveFile } from './archive.server.ts'

/** What became of a picture of an archive: its address here, nothing before it is taken in, or why it was not. */
export type TakenPicture = { url?: string; reason?: string; isNew: boolean }

type Context = { dry: boolean; editorId: string; alt: string; link: string }

/**
 * Takes a picture of an archive into storage, unless it is there. One that we have written into an archive ourselves keeps its id, so that no link to it
 * changes. In a dry run nothing is taken.
 */
export async function takePicture({ name, read }: ArchiveFile, { dry, editorId, alt, link }: Context): Promise<TakenPicture> {
  const bytes = await read()
  if (!bytes) return { reason: 'it is damaged', isNew: false }
  if (!kindOfPicture(bytes)) return { reason: NO_PICTURE, isNew: false }
  const known = await findSameImage(bytes)
  if (known) return { url: sameAddress(link, known), isNew: false }
  if (dry) return { isNew: true }
  try {
    const [, id] = /(?:^|\/)images\/([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\/[^/]+$/.exec(name) ?? []
    const given = oneLine(alt)
    const kept = await keepImage(bytes, { name, id, ...(characterCount(given) <= MOST_ALT && { alt: given }) }, editorId)
    return { url: sameAddress(link, kept), isNew: true }
  } catch (error) {
    if (error instanceof Stop) return { reason: error.data, isNew: false }
    throw error
  }
}

/** Whether a link leads to a picture that is here already. */
export async function isKnownPicture(link: string): Promise<boolean> {
  const { id } = imageAddress(link) ?? {}
  return id !== undefined && (await findPictures([id])).size > 0
}

/** Any of its sizes may be linked to. */
function sameAddress(link: string, { id, url }: Image): string {
  return imageAddress(link)?.id === id ? link : url
}
