import { openPicture, readPicture } from '#app/platform/storage/decoder.server.ts'
import { kindOfPicture, NO_PICTURE } from '#app/platform/storage/picture-kind.ts'
import { oneAtATime } from '#app/platform/storage/turns.server.ts'
import { stop } from '#app/platform/stop.ts'
import { MOST_PICTURE_BYTES, PICTURE_TOO_LARGE } from './picture-file.ts'

/** Pixels of each edge, twice what the largest place on a page shows. */
const EDGE = 256
const MOST_SECONDS = 10

const inTurn = oneAtATime(16)

/** Re-encodes a person's picture: square, small, WebP, without the camera's metadata. Stops when it is not an image. */
export async function reencodeAvatar(bytes: Uint8Array): Promise<Buffer> {
  if (bytes.length > MOST_PICTURE_BYTES) stop('tooLarge', PICTURE_TOO_LARGE)
  if (!kindOfPicture(bytes)) stop('unprocessable', NO_PICTURE)
  return inTurn(async () => {
    const decode = await openPicture(bytes)
    return readPicture(() => decode().resize(EDGE, EDGE).webp({ quality: 82 }).timeout({ seconds: MOST_SECONDS }).toBuffer())
  })
}
