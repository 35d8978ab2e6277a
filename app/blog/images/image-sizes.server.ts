import type { Raw, Sharp } from 'sharp'
import { type Decoder, openPicture, readPicture } from '#app/platform/storage/decoder.server.ts'
import { oneAtATime } from '#app/platform/storage/turns.server.ts'

/** In pixels: a phone, a column of text, and that column on a high-density screen. */
const WIDTHS = [480, 960, 1600]
/** Maximum width and height in pixels. */
const MOST_WIDTH = 2400
const MOST_HEIGHT = 4800
const MOST_SECONDS = 30

export type MadeFile = { width: number; format: 'avif' | 'webp'; bytes: Buffer }
export type MadeImage = { width: number; height: number; widths: number[]; files: MadeFile[] }

const inTurn = oneAtATime(8)

/** Makes every served file of an image: upright, never enlarged, without metadata. Stops when it is no image, or when the queue is full. */
export async function makeImageFiles(bytes: Uint8Array): Promise<MadeImage> {
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

/** Decodes once, at the size of the widest file; the other sizes are made of these pixels. */
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
