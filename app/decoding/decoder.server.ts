import type { default as Library, Raw, Sharp } from 'sharp'
import { stop } from '#app/platform/stop.ts'
import { kindOfPicture, NO_PICTURE } from './picture-kind.ts'

/** A camera of today makes half of it; a file of a few bytes can say that it is a thousand times more. */
const MOST_PIXELS = 50_000_000

/** Each call begins anew with the file as it was given, or with points that have been decoded of it. */
export type Decoder = (pixels?: Uint8Array, raw?: Raw) => Sharp

let library: Promise<typeof Library> | undefined

/**
 * Opens a file that someone says is a picture: upright, its colours as they were meant, nothing decoded yet. What is made of the decoder is made anew, so what is
 * served is ours, whatever else the file was. Stops where it is no picture.
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

/** Whatever the library cannot read is no picture; its own words are for programmers. */
export async function readPicture<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch {
    return stop('unprocessable', NO_PICTURE)
  }
}

/** Loaded at the first picture. It can read far more than the four kinds that we take, and may not. */
async function load(): Promise<typeof Library> {
  const { default: sharp } = await import('sharp')
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: ['VipsForeignLoadPng', 'VipsForeignLoadJpeg', 'VipsForeignLoadWebp', 'VipsForeignLoadHeif'] })
  sharp.concurrency(1)
  sharp.cache(false)
  return sharp
}
