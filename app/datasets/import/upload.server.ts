import { mkdir, statfs } from 'node:fs/promises'
import path from 'node:path'
import { formatOf } from '#app/datasets/catalog/format.ts'
import { db, insert } from '#app/platform/database/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import { propertyOf } from '#app/platform/property.ts'
import { stop } from '#app/platform/stop.ts'
import type { Row } from '#db/tables.ts'
import { sumOf, takeFile } from './import.server.ts'
import { claimUpload, endClaim, keepClaim } from './upload-claim.server.ts'
import { removeUploadFile, uploadFile, writePiece } from './upload-file.server.ts'
import type { UploadState, UploadBody } from './upload.ts'

/** A file needs its space twice: as it came, and while it is imported. */
const PLACES = 2
const NO_ROOM = 'There is no room left for this file. Nothing of it is lost: go on once there is.'

export async function beginUpload(
  productId: string,
  { fileName, bytes, sha256, changes }: UploadBody,
  by: { id: string },
): Promise<UploadState> {
  const format = formatOf(fileName)
  if (!format) {
    const sentence = 'The name of the file must end in .csv, .json, .jsonl or .parquet.'
    stop('unprocessable', sentence, { code: 'validation_failed', errors: { fileName: sentence } })
  }
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
  return toUpload(
    await insert(db, 'datasetUploads', { productId, fileName, format, bytes, ...(sha256 && { sha256 }), changes, createdBy: by.id }),
  )
}

/** The state of an upload. If it was complete just before a crash, this finishes it. */
export async function findUpload(id: string): Promise<UploadState | undefined> {
  const row = await db.selectFrom('datasetUploads').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row || row.versionId || row.received < row.bytes) return row && toUpload(row)
  const claimed = await claimUpload(id)
  return claimed ? finish(claimed) : toUpload(row)
}

/** The result of a chunk. */
export type Received = { upload: UploadState; isTaken: boolean }

/**
 * Accepts the chunk at `offset`. A wrong offset, or a chunk during another one, is rejected; the result says where to resume. The last
 * byte triggers the check of the whole file, which becomes a version.
 */
export async function receivePiece(id: string, offset: number, piece: AsyncIterable<unknown>): Promise<Received | undefined> {
  const claimed = await claimUpload(id)
  if (!claimed) {
    const upload = await findUpload(id)
    return upload && { upload, isTaken: false }
  }
  if (offset !== claimed.received) {
    await endClaim(claimed)
    return { upload: toUpload(claimed), isTaken: false }
  }
  let received = claimed.received
  try {
    const written = await writePiece(claimed, piece)
    ;({ received } = written)
    if (written.end === 'tooMuch') stop('tooLarge', 'These are more bytes than the file was said to have, or than one piece may bring.')
    if (written.end === 'full') stop('unavailable', NO_ROOM, { retryAfter: 60 })
    if (written.end === 'cut') stop('badRequest', 'The piece was cut off. The part that arrived is saved.')
  } finally {
    if (received < claimed.bytes) await endClaim(claimed, { received })
  }
  const upload = received < claimed.bytes ? toUpload({ ...claimed, received }) : await finish({ ...claimed, received })
  return { upload, isTaken: true }
}

/** Cancels an upload and deletes its data. Returns `false` if it does not exist. */
export async function discardUpload(id: string): Promise<boolean> {
  const removed = await db.deleteFrom('datasetUploads').where('id', '=', id).returning('id').executeTakeFirst()
  if (removed) await removeUploadFile(id)
  return removed !== undefined
}

/** Checks the file and makes it a version. The version gets the upload's id, so that it is created only once. */
async function finish(claimed: Row<'datasetUploads'>): Promise<UploadState> {
  const { id, productId, fileName, changes, bytes, received, createdBy } = claimed
  try {
    await keepClaim(claimed, { received })
    const sha256 = await checkedSum(claimed)
    await keepClaim(claimed, { sha256 })
    await takeFile(productId, uploadFile(id), { fileName, changes, by: { id: createdBy }, known: { id, bytes, sha256 } })
  } catch (error) {
    await endClaim(claimed)
    throw error
  }
  await endClaim(claimed, { versionId: id })
  return toUpload({ ...claimed, versionId: id })
}

/** A file that was already moved was checked before. */
async function checkedSum({ id, sha256 }: Row<'datasetUploads'>): Promise<string> {
  const found = await sumOf(uploadFile(id)).catch((error: unknown) => {
    if (propertyOf(error, 'code') !== 'ENOENT') throw error
    return sha256 ?? stop('notFound', 'There is no such upload.')
  })
  if (!sha256 || sha256 === found) return found
  await discardUpload(id)
  return stop('unprocessable', 'The file that arrived is not the one that was sent: its checksum differs. Send it again.', {
    code: 'checksum_mismatch',
  })
}

function toUpload({ id, bytes, received, versionId }: Row<'datasetUploads'>): UploadState {
  return { id, bytes, received, versionId }
}
