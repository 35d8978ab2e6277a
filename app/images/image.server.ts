import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { oneLine } from '#app/platform/clean-text.ts'
import { type Database, db, newId, transaction, type Trx } from '#app/platform/db.server.ts'
import { enqueue } from '#app/platform/jobs.server.ts'
import { stop } from '#app/platform/stop.ts'
import { putFile } from '#app/storage/storage.server.ts'
import type { Row } from '#db/tables.ts'
import { makeSizes } from './image-sizes.server.ts'
import { listUses } from './image-use.server.ts'
import { imageUrl } from './picture.ts'
import { type Image, IMAGE_TOO_LARGE, type ImagePage, MOST_IMAGE_BYTES, MOST_NAME, SWEEP_JOB } from './image.ts'

type Given = { name: string; alt?: string | undefined; /** Where it had one already. */ id?: string | undefined }

/**
 * Takes a picture into storage, in every size that we serve. The same file again is the picture that is there already; it gets the alt text when it has none.
 * Its files are kept before its row: whoever finds the row finds them, and what a crash leaves without a row is swept away.
 */
export async function keepImage(bytes: Uint8Array, { name, alt = '', id = newId() }: Given, creatorId: string): Promise<Image> {
  if (bytes.length > MOST_IMAGE_BYTES) stop('tooLarge', IMAGE_TOO_LARGE)
  const sha256 = sumOf(bytes)
  const known = await findKept(sha256, alt)
  if (known) return known
  const { files, ...made } = await makeSizes(bytes)
  await sweepLater(db, id, made.widths)
  for (const { width, format, bytes: content } of files) await putFile(`images/${id}/${width}.${format}`, content)
  const kept = await db
    .insertInto('images')
    .values({ id, alt, fileName: nameOf(name), ...made, bytes: bytes.length, sha256, createdBy: creatorId })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
  if (kept) return toImage(kept)
  return (await findKept(sha256, alt)) ?? stop('conflict', 'This picture was removed at the same moment. Please send it again.')
}

/** The picture that was made of the same file. */
export async function findSameImage(bytes: Uint8Array): Promise<Image | undefined> {
  return findKept(sumOf(bytes), '')
}

/** A page of the library, newest first, with those whose name or alt text holds every letter of the search. */
export async function listImages({
  q,
  cursor,
  limit,
}: {
  q?: string | undefined
  cursor?: string | undefined
  limit: number
}): Promise<ImagePage> {
  const rows = await db
    .selectFrom('images')
    .selectAll()
    .$if(Boolean(q), (query) => query.where(sql<boolean>`lower(file_name || ' ' || alt) LIKE ${likely(q ?? '')}`))
    .$if(cursor !== undefined, (query) => query.where(isAfter(cursor ?? '')))
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  const images = rows.slice(0, limit).map(toImage)
  return { images, nextCursor: rows.length > limit ? (images.at(-1)?.id ?? null) : null }
}

/** Answers nothing where there is no such picture. */
export async function describeImage(id: string, alt: string): Promise<Image | undefined> {
  const row = await db.updateTable('images').set({ alt }).where('id', '=', id).returningAll().executeTakeFirst()
  return row && toImage(row)
}

/** Stops while a post shows it. Its files go a day later, so that a backup that is being written still finds them. */
export async function removeImage(id: string): Promise<boolean> {
  return transaction(async (trx) => {
    // Posts that are being saved with it are waited for.
    await trx.selectFrom('images').select('id').where('id', '=', id).forUpdate().execute()
    const uses = await listUses(trx, id)
    if (uses.length > 0) stop('conflict', `This picture is used in ${namesOf(uses)}. Take it out there first.`, { code: 'image_in_use' })
    const removed = await trx.deleteFrom('images').where('id', '=', id).returning('widths').executeTakeFirst()
    if (removed) await sweepLater(trx, id, removed.widths)
    return removed !== undefined
  })
}

function sumOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

async function findKept(sha256: string, alt: string): Promise<Image | undefined> {
  if (alt) await db.updateTable('images').set({ alt }).where('sha256', '=', sha256).where('alt', '=', '').execute()
  const row = await db.selectFrom('images').selectAll().where('sha256', '=', sha256).executeTakeFirst()
  return row && toImage(row)
}

function toImage({ id, width, height, alt, fileName, widths }: Row<'images'>): Image {
  return { id, url: imageUrl(id, widths.at(-1) ?? width), width, height, alt, fileName }
}

/** A browser sends a name alone, but whoever writes a request can send a path. */
function nameOf(given: string): string {
  const name = oneLine(given.split(/[/\\]/).at(-1) ?? '')
  return Array.from(name).slice(0, MOST_NAME).join('') || 'picture'
}

function likely(part: string): string {
  return `%${part.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
}

function isAfter(cursor: string) {
  return sql<boolean>`(created_at, id) < (SELECT created_at, id FROM images WHERE id = ${cursor})`
}

function namesOf(titles: readonly string[]): string {
  const [named, rest] = [titles.slice(0, 3).map((title) => `“${title}”`), titles.length - 3]
  return named.join(', ') + (rest > 0 ? ` and ${rest} more` : '')
}

const DAY_MS = 24 * 3_600_000

/** What a crash leaves without a row, and what has been removed: a day later, so that a backup that is being written still finds it. */
async function sweepLater(connection: Database | Trx, id: string, widths: number[]): Promise<void> {
  await enqueue(connection, { kind: SWEEP_JOB, payload: { id, widths }, runAt: new Date(Date.now() + DAY_MS) })
}
