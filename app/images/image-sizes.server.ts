import type { Raw, Sharp } from 'sharp'
import { type Decoder, openPicture, readPicture } from '#app/decoding/decoder.server.ts'
import { oneAtATime } from '#app/decoding/turns.server.ts'

/** Pixels: what a phone, a column of text, and the same on a fine screen show. */
const WIDTHS = [480, 960, 1600]
/** The widest file, and the tallest. */
const MOST_WIDTH = 2400
const MOST_HEIGHT = 4800
const MOST_SECONDS = 30

export type MadeFile = { width: number; format: 'avif' | 'webp'; bytes: Buffer }
export type MadeImage = { width: number; height: number; widths: number[]; files: MadeFile[] }

const inTurn = oneAtATime(8)

/**
 * Every file that we serve of a picture: upright, never larger than it was given, nothing left of what the camera noted. Stops where it is no
 * picture, or where too many wait.
 */
export async function makeSizes(bytes: Uint8Array): Promise<MadeImage> {
  return inTurn(async () => make(await openPicture(bytes)))
}

async function make(decode: Decoder): Promise<MadeImage> {
  const { pixels, raw } = await readPicture(() => unpack(decode))
  const widths = [...WIDTHS.filter((each) => each < raw.width), raw.width]
  const files: MadeFile[] = []
  for (const width of widths) {
    const sized = () => decode(pixels, raw).resize({ width }).timeout({ seconds: MOST_SECONDS })
    files.push({ width, format: 'avif', bytes: await encode(() => sized().avif({ quality: 55, effort: 2 })) })
    files.push({ width, format: 'webp', bytes: await encode(() => sized().webp({ quality: 80 })) })
  }
  return { width: raw.width, height: raw.height, widths, files }
}

/** Decoded once, at the size of the widest file: all others are made of these points. */
async function unpack(decode: Decoder): Promise<{ pixels: Buffer; raw: Raw }> {
  const { data, info } = await decode()
    .resize({ width: MOST_WIDTH, height: MOST_HEIGHT, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .timeout({ seconds: MOST_SECONDS })
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
  return { pixels: data, raw: { width: info.width, height: info.height, channels: info.channels } }
}

async function encode(pipeline: () => Sharp): Promise<Buffer> {
  return readPicture(() => pipeline().toBuffer())
}
