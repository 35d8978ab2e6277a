import type { StoredEmailFile } from './email-file.server.ts'
import { fileTypeOf } from './file-type.server.ts'
import type { ReceivedFile } from './read-email.server.ts'

/** Bytes of one picture. Photos of phones have some 5 MB. */
const LARGEST_PICTURE = 6 * 1024 * 1024
/** A small file can unpack to a picture that takes all the memory of a browser. */
const MOST_PIXELS = 40_000_000
/** In one email, each as often as it appears. */
const MOST_PICTURES = 200

/**
 * Replaces the numbers of attached pictures in sanitized HTML with the ids of their stored files. Only pictures that a browser can show
 * without risk keep theirs: PNG, JPEG, GIF and WebP by their content, within the limits.
 */
export function namePictures(html: string | null, received: ReceivedFile[], stored: StoredEmailFile[]): string | null {
  const ids = received.map(({ bytes }, at) => (isShowable(bytes) ? stored[at]?.id : undefined))
  let count = 0
  const named = html?.replaceAll(/<img data-inline="(\d+)"/g, (_, at: string) => {
    const id = ids[Number(at)]
    return id && (count += 1) <= MOST_PICTURES ? `<img data-inline="${id}"` : '<img'
  })
  return named ?? null
}

function isShowable(bytes: Uint8Array): boolean {
  if (bytes.length > LARGEST_PICTURE) return false
  const size = dimensionsOf(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), fileTypeOf(bytes))
  return size !== undefined && size[0] > 0 && size[1] > 0 && size[0] * size[1] <= MOST_PIXELS
}

/** Width and height as the header of a picture says; undefined for other types, and broken headers. */
function dimensionsOf(bytes: Buffer, type: string): [number, number] | undefined {
  if (bytes.length < 30) return undefined
  if (type === 'image/png')
    return bytes.toString('latin1', 12, 16) === 'IHDR' ? [bytes.readUInt32BE(16), bytes.readUInt32BE(20)] : undefined
  if (type === 'image/gif') return [bytes.readUInt16LE(6), bytes.readUInt16LE(8)]
  if (type === 'image/webp') return dimensionsOfWebp(bytes)
  return type === 'image/jpeg' ? dimensionsOfJpeg(bytes) : undefined
}

function dimensionsOfWebp(bytes: Buffer): [number, number] | undefined {
  const kind = bytes.toString('latin1', 12, 16)
  if (kind === 'VP8X') return [bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1]
  if (kind === 'VP8 ') return [bytes.readUInt16LE(26) & 0x3f_ff, bytes.readUInt16LE(28) & 0x3f_ff]
  if (kind !== 'VP8L') return undefined
  const packed = bytes.readUInt32LE(21)
  return [(packed & 0x3f_ff) + 1, ((packed >>> 14) & 0x3f_ff) + 1]
}

/** Segments follow one another, each with its length; one of them starts the frame. */
function dimensionsOfJpeg(bytes: Buffer): [number, number] | undefined {
  for (let at = 2; at + 9 <= bytes.length && bytes[at] === 0xff;) {
    const marker = bytes[at + 1] ?? 0
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) return [bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5)]
    at += marker === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2)
  }
  return undefined
}
