import type { default as Library, Raw, Sharp } from 'sharp'
import { stop } from '#app/platform/errors/stop.ts'
import { kindOfPicture, NO_PICTURE } from './picture-kind.ts'

/** Twice a modern camera's; a file of a few bytes can claim a thousand times more. */
const MOST_PIXELS = 50_000_000

/** Each call starts from the given file, or from pixels that were decoded from it. */
export type Decoder = (pixels?: Uint8Array, raw?: Raw) => Sharp

let library: Promise<typeof Library> | undefined

/**
 * Opens an uploaded image: upright, in its intended colors, nothing decoded yet. Served images are re-encoded from the decoder, so they are
 * safe whatever else the file was. Stops when it is not an image.
 */
export async function openPicture(bytes: Uint8Array): Promise<Decoder> {
  if (!kindOfPicture(bytes)) stop('unprocessable', NO_PICTURE)
  library ??= load()
  const sharp = await library
  const { width, height, compression } = await readPicture(() => sharp(bytes, { limitInputPixels: false }).metadata())
  if (width * height > MOST_PIXELS) stop('unprocessable', 'This picture has more than 50 million points. Please send a smaller one.')
  if (compression !== undefined && compression !== 'av1') stop('unprocessable', NO_PICTURE)
  return (pixels, raw) =>
    pixels && raw ? sharp(pixels, { raw }) : sharp(bytes, { limitInputPixels: MOST_PIXELS, failOn: 'error', autoOrient: true })
}

/** Turns every error of the library into a sentence: its own messages are for programmers. */
export async function readPicture<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch {
    return stop('unprocessable', NO_PICTURE)
  }
}

/** Loaded at the first image. It can read far more than the four accepted formats, so the others are blocked. */
async function load(): Promise<typeof Library> {
  const { default: sharp } = await import('sharp')
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: ['VipsForeignLoadPng', 'VipsForeignLoadJpeg', 'VipsForeignLoadWebp', 'VipsForeignLoadHeif'] })
  sharp.concurrency(1)
  sharp.cache(false)
  return sharp
}
