import { openPicture, readPicture } from '#app/decoding/decoder.server.ts'
import { kindOfPicture, NO_PICTURE } from '#app/decoding/picture-kind.ts'
import { oneAtATime } from '#app/decoding/turns.server.ts'
import { stop } from '#app/platform/stop.ts'
import { MOST_PICTURE_BYTES, PICTURE_TOO_LARGE } from './picture-file.ts'

/** Pixels of each edge, twice what the largest place on a page shows. */
const EDGE = 256
const MOST_SECONDS = 10

const inTurn = oneAtATime(16)

/** A picture of someone as we keep it: square, small, WebP, nothing left of what the camera noted. Stops where it is no picture. */
export async function remakePicture(bytes: Uint8Array): Promise<Buffer> {
  if (bytes.length > MOST_PICTURE_BYTES) stop('tooLarge', PICTURE_TOO_LARGE)
  if (!kindOfPicture(bytes)) stop('unprocessable', NO_PICTURE)
  return inTurn(async () => {
    const decode = await openPicture(bytes)
    return readPicture(() => decode().resize(EDGE, EDGE).webp({ quality: 82 }).timeout({ seconds: MOST_SECONDS }).toBuffer())
  })
}
