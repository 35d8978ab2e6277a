import { createHash } from 'node:crypto'
import { z } from 'zod'
import { db } from '#app/platform/database/db.server.ts'
import { daysAgo } from '#app/platform/database/sql.server.ts'
import { defineJob } from '#app/platform/jobs.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { openPicture, readPicture } from '#app/platform/storage/decoder.server.ts'
import { kindOfPicture, NO_PICTURE } from '#app/platform/storage/picture-kind.ts'
import { heavy, waits } from '#app/platform/http/load.server.ts'

/** Bytes of an upload. */
export const MOST_UPLOADED = 5 * 1024 * 1024
/** Pixels of the longer edge: twice the largest place, a portrait. */
const EDGE = 1200
const MOST_SECONDS = 10

/** Stores a picture for the settings, re-encoded: only its pixels remain. Returns its name. Stops when it is not a raster image. */
export async function storeSiteFile(bytes: Uint8Array): Promise<string> {
  if (!kindOfPicture(bytes)) stop('unprocessable', NO_PICTURE)
  const encoded = await heavy.run(waits.picture, async () => {
    const decode = await openPicture(bytes)
    return readPicture(() =>
      decode()
        .resize(EDGE, EDGE, { fit: 'inside', withoutEnlargement: true })
        .webp({ quality: 86 })
        .timeout({ seconds: MOST_SECONDS })
        .toBuffer(),
    )
  })
  const name = `${createHash('sha256').update(encoded).digest('hex').slice(0, 40)}.webp`
  await db
    .insertInto('siteFiles')
    .values({ name, bytes: encoded })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
  return name
}

export async function findSiteFile(name: string): Promise<Uint8Array | undefined> {
  const row = await db.selectFrom('siteFiles').select('bytes').where('name', '=', name).executeTakeFirst()
  return row?.bytes
}

/** Pictures that no version and no draft uses, a day after their upload. */
async function deleteUnusedFiles(): Promise<void> {
  const [old, revisions, drafts] = await Promise.all([
    db.selectFrom('siteFiles').select('name').where('createdAt', '<', daysAgo(1)).execute(),
    db.selectFrom('siteSettingRevisions').select('value').where('value', 'is not', null).execute(),
    db.selectFrom('siteSettings').select('draft').where('draft', 'is not', null).execute(),
  ])
  const used = JSON.stringify([revisions, drafts])
  const unused = old.map(({ name }) => name).filter((name) => !used.includes(name))
  if (unused.length > 0) await db.deleteFrom('siteFiles').where('name', 'in', unused).where('createdAt', '<', daysAgo(1)).execute()
}

defineJob('settings.housekeeping', z.unknown(), deleteUnusedFiles, { every: 'day' })
