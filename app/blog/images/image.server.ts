import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Raw, Sharp } from 'sharp'
import { oneLine } from '#app/platform/text/clean-text.ts'
import { type Database, db, newId, transaction, type Trx } from '#app/platform/database/db.server.ts'
import { condition } from '#app/platform/database/sql.server.ts'
import { createdBefore } from '#app/platform/tables/list-file.server.ts'
import { enqueue, defineJob } from '#app/platform/jobs.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { putFile, removeFile } from '#app/platform/storage/storage.server.ts'
import type { Row } from '#db/tables.ts'
import { type Decoder, openPicture, readPicture } from '#app/platform/storage/decoder.server.ts'
import { heavy, waits } from '#app/platform/http/load.server.ts'
import { listImageUses } from './image-use.server.ts'
import { findImageReferences } from './picture.server.ts'
import { imageUrl } from './picture.ts'
import { type Image, IMAGE_CLEANUP_JOB, IMAGE_TOO_LARGE, type ImagePage, MOST_IMAGE_BYTES, MOST_NAME } from './image.ts'
import { z } from 'zod'

type Given = {
  name: string
  alt?: string | undefined
  /** The id of an earlier installation, kept unless an image has it. */ id?: string | undefined
}

/**
 * Stores an image in every served size. A second upload of the same file returns the existing image, and sets its alt text if that is
 * empty. Files are written before the row, so a row always has its files; the cleanup job deletes files without a row.
 */
export async function storeImage(bytes: Uint8Array, { name, alt = '', id: wanted }: Given, creatorId: string): Promise<Image> {
  if (bytes.length > MOST_IMAGE_BYTES) stop('tooLarge', IMAGE_TOO_LARGE)
  const sha256 = sumOf(bytes)
  const known = await findStoredImage(sha256, alt)
  if (known) return known
  const { files, ...made } = await makeImageFiles(bytes)
  const isFree = wanted !== undefined && (await findImageReferences([wanted])).size === 0
  const id = isFree ? wanted : newId()
  await deleteFilesLater(db, id, made.widths)
  for (const { width, format, bytes: content } of files) await putFile(`images/${id}/${width}.${format}`, content)
  const kept = await db
    .insertInto('images')
    .values({ id, alt, fileName: nameOf(name), ...made, bytes: bytes.length, sha256, createdBy: creatorId })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
  if (kept) return toImage(kept)
  return (await findStoredImage(sha256, alt)) ?? stop('conflict', 'This image was just deleted. Please upload it again.')
}

/** The existing image made from the same file. */
export async function findSameImage(bytes: Uint8Array): Promise<Image | undefined> {
  return findStoredImage(sumOf(bytes), '')
}

/** A page of the library, newest first. The search matches names and alt texts. */
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
    .select(sql<string>`to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`.as('createdAtText'))
    .$if(Boolean(q), (query) => query.where(condition`lower(file_name || ' ' || alt) LIKE ${likely(q ?? '')}`))
    .$if(cursor !== undefined, (query) => query.where(isAfter(cursor ?? '')))
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1) : undefined
  // The image itself may be deleted before the next page is requested.
  return { images: shown.map(toImage), nextCursor: last ? `${last.createdAtText}_${last.id}` : null }
}

/** Returns `undefined` when the image does not exist. */
export async function describeImage(id: string, alt: string): Promise<Image | undefined> {
  const row = await db.updateTable('images').set({ alt }).where('id', '=', id).returningAll().executeTakeFirst()
  return row && toImage(row)
}

/** Stops while a post shows it. Its files are deleted a day later, so that a running backup still finds them. */
export async function removeImage(id: string): Promise<boolean> {
  return transaction(async (trx) => {
    // Waits for posts that are being saved with it.
    await trx.selectFrom('images').select('id').where('id', '=', id).forUpdate().execute()
    const uses = await listImageUses(trx, id)
    if (uses.length > 0) stop('conflict', `This image is used in ${namesOf(uses)}. Remove it there first.`, { code: 'image_in_use' })
    const removed = await trx.deleteFrom('images').where('id', '=', id).returning('widths').executeTakeFirst()
    if (removed) await deleteFilesLater(trx, id, removed.widths)
    return removed !== undefined
  })
}

function sumOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

async function findStoredImage(sha256: string, alt: string): Promise<Image | undefined> {
  if (alt) await db.updateTable('images').set({ alt }).where('sha256', '=', sha256).where('alt', '=', '').execute()
  const row = await db.selectFrom('images').selectAll().where('sha256', '=', sha256).executeTakeFirst()
  return row && toImage(row)
}

function toImage({ id, width, height, alt, fileName, widths }: Row<'images'>): Image {
  return { id, url: imageUrl(id, widths.at(-1) ?? width), width, height, alt, fileName }
}

/** Browsers send a bare name, but other clients can send a path. */
function nameOf(given: string): string {
  const name = oneLine(given.split(/[/\\]/).at(-1) ?? '')
  return Array.from(name).slice(0, MOST_NAME).join('') || 'picture'
}

function likely(part: string): string {
  return `%${part.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
}

/** `cursor` is checked: the time of the last image, and its id. */
function isAfter(cursor: string) {
  const [createdAtText = '', id = ''] = cursor.split('_')
  return createdBefore({ createdAtText, id })
}

function namesOf(titles: readonly string[]): string {
  const [named, rest] = [titles.slice(0, 3).map((title) => `“${title}”`), titles.length - 3]
  return named.join(', ') + (rest > 0 ? ` and ${rest} more` : '')
}

const DAY_MS = 24 * 3_600_000

/** Deletes files without a row, and the files of deleted images, a day later. A running backup still finds them. */
async function deleteFilesLater(connection: Database | Trx, id: string, widths: number[]): Promise<void> {
  await enqueue(connection, { kind: IMAGE_CLEANUP_JOB, payload: { id, widths }, runAt: new Date(Date.now() + DAY_MS) })
}

/** In pixels: a phone, a column of text, and that column on a high-density screen. */
const WIDTHS = [480, 960, 1600]
/** Maximum width and height in pixels. */
const MOST_WIDTH = 2400
const MOST_HEIGHT = 4800
const MOST_SECONDS = 30

type MadeFile = { width: number; format: 'avif' | 'webp'; bytes: Buffer }
type MadeImage = { width: number; height: number; widths: number[]; files: MadeFile[] }

/** Makes every served file of an image: upright, never enlarged, without metadata. Stops when it is no image, or when the queue is full. */
async function makeImageFiles(bytes: Uint8Array): Promise<MadeImage> {
  return heavy.run(waits.picture, async () => make(await openPicture(bytes)))
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

const FORMATS = ['avif', 'webp']

const cleanup = z.object({ id: z.string(), widths: z.array(z.number()) })

// Deletes the files of an image that has no row a day after its upload or deletion.
defineJob(IMAGE_CLEANUP_JOB, cleanup, async ({ id, widths }) => {
  if (await db.selectFrom('images').select('id').where('id', '=', id).executeTakeFirst()) return
  for (const file of widths.flatMap((width) => FORMATS.map((format) => `${width}.${format}`))) await removeFile(`images/${id}/${file}`)
})
