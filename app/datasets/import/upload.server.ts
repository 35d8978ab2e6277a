import { LONGEST_CHANGES } from '#app/datasets/catalog/version-change.ts'
import { mkdir, statfs } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { DataStore, Upload } from '@tus/server'
import { z } from 'zod'
import { atMost, manyLines, oneLine } from '#app/platform/text/clean-text.ts'
import { fileKey, deleteFilesLater } from '#app/datasets/catalog/version-files.server.ts'
import { formatOf } from '#app/datasets/catalog/format.ts'
import { db, insert } from '#app/platform/database/db.server.ts'
import { now } from '#app/platform/database/sql.server.ts'
import { isDiskFull } from '#app/platform/files/disk-room.server.ts'
import { env } from '#app/platform/env.server.ts'
import { enqueue } from '#app/platform/jobs.server.ts'
import { log } from '#app/platform/process/log.server.ts'
import { localFile, removeFile } from '#app/platform/storage/storage.server.ts'
import { propertyOf } from '#app/platform/errors/property.ts'
import { stop } from '#app/platform/errors/stop.ts'
import type { Row } from '#db/tables.ts'
import { sumOf, takeFile } from './import.server.ts'
import { beginParts, joinParts, openParts, removeParts } from './upload-bucket.server.ts'
import { openUploadFile, removeUploadFile, uploadFile, type UploadTarget } from './upload-file.server.ts'
import { LEASE_SECONDS } from './upload-lock.server.ts'
import { STALE_DAYS, type StoredParts } from './upload.ts'

const DAY_MS = 24 * 3_600_000
/** A file needs its space twice: as it came, and while it is imported. */
const PLACES = 2
const NO_ROOM = 'There is no room left for this file. The part that has arrived is safe: resume when there is room.'

const name = 'Name the file: at most 200 characters'

/** `Upload-Metadata`, with `Upload-Length` as `bytes`. With `sha256` in hexadecimal, a file that differs is refused. */
const newUpload = z.object({
  productId: z.uuid('Name the product by its id'),
  filename: z.string(name).overwrite(oneLine).min(1, name).max(200, name),
  bytes: z.int('Say how many bytes the file has').min(1, 'This file is empty.'),
  sha256: z
    .string()
    .toLowerCase()
    .regex(/^[\da-f]{64}$/, 'A SHA-256 has 64 hexadecimal digits')
    .optional(),
  changes: z
    .string()
    .overwrite(manyLines)
    .check(...atMost(LONGEST_CHANGES, 'What changed takes at most 2,000 characters'))
    .default(''),
})

type StoredUpload = Row<'datasetUploads'>
type Stored = { received: number; parts?: StoredParts }

/** Uploads of one person, for one request, which writes only while its claim is in the row. */
export class UploadStore extends DataStore {
  override extensions = ['creation', 'creation-with-upload', 'termination', 'expiration']
  readonly #ownerId: string
  readonly #claim: string

  constructor(ownerId: string, claim: string) {
    super()
    this.#ownerId = ownerId
    this.#claim = claim
  }

  override async create(upload: Upload): Promise<Upload> {
    const { id, size, metadata = {} } = upload
    // An empty value is `null`, like a missing one.
    const given = Object.entries(metadata).filter(([, value]) => value !== null)
    const { productId, filename, bytes, sha256, changes, format } = await checkNew({ ...Object.fromEntries(given), bytes: size })
    const parts = await beginParts({ id, format })
    await insert(db, 'datasetUploads', {
      id,
      productId,
      fileName: filename,
      format,
      bytes,
      ...(sha256 && { sha256 }),
      changes,
      metadata: JSON.stringify(metadata),
      ...(parts && { parts: JSON.stringify(parts) }),
      claimedBy: this.#claim,
      claimedUntil: new Date(Date.now() + LEASE_SECONDS * 1000),
      createdBy: this.#ownerId,
    })
    return upload
  }

  /** The state of an upload. If it was complete just before a crash, this finishes it. */
  override async getUpload(id: string): Promise<Upload> {
    const row = await this.#find(id)
    if (row.received === row.bytes && !row.versionId) await this.#finish(row)
    const { bytes: size, received: offset, metadata, updatedAt } = row
    return new Upload({ id, size, offset, metadata, creation_date: updatedAt.toISOString() })
  }

  /** Stores what arrives until the end, a lost connection or a full disk. The last byte triggers the check of the whole file. */
  override async write(stream: Readable, id: string, offset: number): Promise<number> {
    const row = await this.#find(id)
    const stored = await this.#receive(row, stream, offset)
    if (stored.received === row.bytes) await this.#finish({ ...row, ...stored })
    return stored.received
  }

  override async remove(id: string): Promise<void> {
    await discardUpload(await this.#find(id))
  }

  override getExpiration(): number {
    return STALE_DAYS * DAY_MS
  }

  async #find(id: string): Promise<StoredUpload> {
    const row = await db
      .selectFrom('datasetUploads')
      .selectAll()
      .where('id', '=', id)
      .where('createdBy', '=', this.#ownerId)
      .executeTakeFirst()
    return row ?? stop('notFound', 'There is no such upload.')
  }

  async #receive(row: StoredUpload, stream: Readable, offset: number): Promise<Stored> {
    await using target = await (row.parts ? openParts(row, row.parts) : openUploadFile(row))
    if (target.stored().received !== offset) {
      // The bytes after the last whole part are gone, so the sender goes back to its end.
      if (row.parts) await this.#set(row.id, target.stored())
      stop('unavailable', 'The beginning of this file is not on this server. Servers without a bucket share DATA_DIR/unfinished.')
    }
    const isFull = await pour(stream, target, () => this.#set(row.id, target.stored()))
    await this.#set(row.id, target.stored())
    if (isFull) stop('unavailable', NO_ROOM, { retryAfter: 60 })
    return target.stored()
  }

  /** Checks the file and makes it a version. The version gets the upload's id, so that it is created only once. */
  async #finish(row: StoredUpload): Promise<void> {
    const { id, productId, fileName, changes, bytes, createdBy, parts } = row
    if (parts) {
      await enqueue(db, deleteFilesLater(id))
      await joinParts(row, parts)
    }
    const sha256 = await checkedSum(row)
    await this.#set(id, { sha256 })
    await takeFile(productId, uploadFile(id), { fileName, changes, by: { id: createdBy }, known: { id, bytes, sha256 } })
    await this.#set(id, { versionId: id })
  }

  async #set(id: string, { parts, ...known }: Partial<Stored> & { sha256?: string; versionId?: string }): Promise<void> {
    const { numUpdatedRows } = await db
      .updateTable('datasetUploads')
      .set({ ...known, ...(parts && { parts: JSON.stringify(parts) }), updatedAt: now })
      .where('id', '=', id)
      .where('claimedBy', '=', this.#claim)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) stop('conflict', 'Another request has taken over this upload.')
  }
}

/** Deletes an upload and what has arrived of it. A version that it became stays. */
export async function discardUpload(row: StoredUpload): Promise<void> {
  if (row.parts) await removeParts(row, row.parts)
  else await removeUploadFile(row.id)
  await db.deleteFrom('datasetUploads').where('id', '=', row.id).execute()
}

async function checkNew(given: Record<string, unknown>) {
  const read = newUpload.safeParse(given)
  if (!read.success)
    refuse(Object.fromEntries(read.error.issues.toReversed().map(({ path: [field], message }) => [String(field), message])))
  const format = formatOf(read.data.filename) ?? refuse({ filename: 'The name of the file must end in .csv, .json, .jsonl or .parquet.' })
  const { productId, bytes } = read.data
  const product = await db
    .selectFrom('dataProducts')
    .select('id')
    .where('id', '=', productId)
    .where('removedAt', 'is', null)
    .executeTakeFirst()
  if (!product) stop('notFound', 'There is no such product.')
  await mkdir(path.resolve(env.DATA_DIR), { recursive: true })
  const { bavail, bsize } = await statfs(path.resolve(env.DATA_DIR))
  if (bavail * bsize < bytes * PLACES) stop('unavailable', 'There is no room for a file of this size.', { retryAfter: 60 })
  return { ...read.data, format }
}

function refuse(errors: Record<string, string>): never {
  return stop('unprocessable', Object.values(errors)[0] ?? 'Some of it cannot be accepted.', { code: 'validation_failed', errors })
}

/** Returns whether the disk became full. A lost connection is an end like any other. */
async function pour(stream: Readable, target: UploadTarget, record: () => Promise<void>): Promise<boolean> {
  const chunks = stream[Symbol.asyncIterator]()
  const next = () => chunks.next().catch(() => ({ done: true, value: undefined }))
  try {
    for (let read = await next(); !read.done; read = await next()) if (await target.write(read.value)) await record()
    await target.flush()
    return false
  } catch (error) {
    if (!isDiskFull(error)) throw error
    log.error('disk full: there is no room left for an upload')
    await target.flush().catch(passDiskFull)
    // The sender reads the response only after everything is sent.
    while (!(await next()).done) continue
    return true
  }
}

/** Some disks notice only when they are synced. */
function passDiskFull(error: unknown): void {
  if (!isDiskFull(error)) throw error
}

/** A file that was already moved was checked before. */
async function checkedSum(row: StoredUpload): Promise<string> {
  const { id, format, sha256, parts } = row
  const key = fileKey(id, `original.${format}`)
  const file = parts ? await localFile(key) : uploadFile(id)
  const found = await sumOf(file ?? uploadFile(id)).catch((error: unknown) => {
    if (propertyOf(error, 'code') !== 'ENOENT') throw error
    return sha256 ?? stop('notFound', 'There is no such upload.')
  })
  if (!sha256 || sha256 === found) return found
  await discardUpload(row)
  if (parts) await removeFile(key)
  return stop('unprocessable', 'The file that arrived is not the one that was sent: its checksum differs. Send it again.', {
    code: 'checksum_mismatch',
  })
}
