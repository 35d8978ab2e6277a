import type Sharp from 'sharp'
import { stop } from '#app/platform/stop.ts'
import { kindOfPicture, MOST_PICTURE_BYTES, NO_PICTURE, PICTURE_TOO_LARGE } from './picture-file.ts'

/** Pixels of each edge, twice what the largest place on a page shows. */
const EDGE = 256
/** A camera of today makes half of it; a file of a few bytes can say that it is a thousand times more. */
const MOST_PIXELS = 50_000_000
const MOST_SECONDS = 10
/** Decoding takes memory: one at a time, and who would wait behind more than these comes back later. */
const LONGEST_QUEUE = 16

let library: Promise<typeof Sharp> | undefined
let last: Promise<unknown> = Promise.resolve()
let waiting = 0

/**
 * A picture of someone as we keep it: square, small, WebP, nothing left of what the camera noted. It is decoded and made anew, so what is
 * served is ours, whatever else the file was. Stops where it is no picture.
 */
export async function remakePicture(bytes: Uint8Array): Promise<Buffer> {
  if (bytes.length > MOST_PICTURE_BYTES) stop('tooLarge', PICTURE_TOO_LARGE)
  if (!kindOfPicture(bytes)) stop('unprocessable', NO_PICTURE)
  if (waiting >= LONGEST_QUEUE)
    stop('unavailable', 'Many pictures are being made just now. Please try again in a moment.', { retryAfter: 5 })
  waiting += 1
  const made = last.then(() => remake(bytes)).finally(() => (waiting -= 1))
  last = made.catch(() => undefined)
  return made
}

async function remake(bytes: Uint8Array): Promise<Buffer> {
  library ??= load()
  const sharp = await library
  const { width, height, compression } = await read(() => sharp(bytes, { limitInputPixels: false }).metadata())
  if (width * height > MOST_PIXELS) stop('unprocessable', 'This picture has more than 50 million points. Please send a smaller one.')
  if (compression !== undefined && compression !== 'av1') stop('unprocessable', NO_PICTURE)
  return read(() =>
    sharp(bytes, { limitInputPixels: MOST_PIXELS, failOn: 'error', autoOrient: true })
      .resize(EDGE, EDGE)
      .webp({ quality: 82 })
      .timeout({ seconds: MOST_SECONDS })
      .toBuffer(),
  )
}

/** Whatever the library cannot read is no picture; its own words are for programmers. */
async function read<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch {
    return stop('unprocessable', NO_PICTURE)
  }
}

/** Loaded at the first picture. It can read far more than the four kinds that we take, and may not. */
async function load(): Promise<typeof Sharp> {
  const { default: sharp } = await import('sharp')
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: ['VipsForeignLoadPng', 'VipsForeignLoadJpeg', 'VipsForeignLoadWebp', 'VipsForeignLoadHeif'] })
  sharp.concurrency(1)
  sharp.cache(false)
  return sharp
}
