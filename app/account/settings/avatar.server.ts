import { randomUUID } from 'node:crypto'
import { accounts } from '#app/account/accounts.server.ts'
import { db, type Trx } from '#app/platform/database/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import type { RequestContext } from '#app/platform/http/request-context.server.ts'
import { openPicture, readPicture } from '#app/platform/storage/decoder.server.ts'
import { kindOfPicture, NO_PICTURE } from '#app/platform/storage/picture-kind.ts'
import { heavy, waits } from '#app/platform/http/load.server.ts'
import type { NewRow } from '#db/tables.ts'
import { MOST_PICTURE_BYTES, PICTURE_TOO_LARGE } from './picture-file.ts'

/** Replaces a person's picture. Returns its URL; each picture has its own. */
export async function keepPicture(userId: string, bytes: Uint8Array, requestContext: RequestContext): Promise<string> {
  const picture = await reencodeAvatar(bytes)
  const id = randomUUID()
  const url = `${env.SITE_URL}/avatars/${id}.webp`
  await accounts.changePicture(userId, url, (trx) => savePicture(trx, { userId, id, picture }), requestContext)
  return url
}

/** A person without a picture is shown by the initial of their name. */
export async function removePicture(userId: string, requestContext: RequestContext): Promise<void> {
  const forget = async (trx: Trx) => void (await trx.deleteFrom('avatars').where('userId', '=', userId).execute())
  await accounts.changePicture(userId, null, forget, requestContext)
}

export async function findPicture(id: string): Promise<Uint8Array | undefined> {
  const row = await db.selectFrom('avatars').select('picture').where('id', '=', id).executeTakeFirst()
  return row?.picture
}

async function savePicture(trx: Trx, { userId, ...picture }: NewRow<'avatars'>): Promise<void> {
  const replaced = trx.insertInto('avatars').values({ userId, ...picture })
  await replaced.onConflict((conflict) => conflict.column('userId').doUpdateSet(picture)).execute()
}

/** Pixels of each edge, twice what the largest place on a page shows. */
const EDGE = 256
const MOST_SECONDS = 10

/** Re-encodes a person's picture: square, small, WebP, without the camera's metadata. Stops when it is not an image. */
async function reencodeAvatar(bytes: Uint8Array): Promise<Buffer> {
  if (bytes.length > MOST_PICTURE_BYTES) stop('tooLarge', PICTURE_TOO_LARGE)
  if (!kindOfPicture(bytes)) stop('unprocessable', NO_PICTURE)
  return heavy.run(waits.picture, async () => {
    const decode = await openPicture(bytes)
    return readPicture(() => decode().resize(EDGE, EDGE).webp({ quality: 82 }).timeout({ seconds: MOST_SECONDS }).toBuffer())
  })
}
