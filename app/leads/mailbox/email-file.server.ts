import { z } from 'zod'
import { type Database, db, newId, type Trx } from '#app/platform/database/db.server.ts'
import { defineJob, enqueue } from '#app/platform/jobs.server.ts'
import { putFile, removeFile } from '#app/platform/storage/storage.server.ts'
import type { EmailFile } from './read-email.server.ts'
import { fileTypeOf } from './file-type.server.ts'

/** A file in the storage whose row is still to be written. */
export type StoredEmailFile = { id: string; name: string; type: string; size: number; storedAs: string }

const FOLDER = 'lead-files'
const DAY_MS = 24 * 3_600_000
const CLEANUP = 'leads.files.cleanup'

/**
 * Puts files of an email into the storage, before the transaction with their rows. A job is enqueued first: a day later it removes those
 * that have got no row, because the process was killed between the two.
 */
export async function storeEmailFiles(files: EmailFile[]): Promise<StoredEmailFile[]> {
  const stored = files.map(({ name, bytes }) => {
    const id = newId()
    return { id, name, type: fileTypeOf(bytes), size: bytes.length, storedAs: `${FOLDER}/${id}`, bytes }
  })
  if (stored.length === 0) return []
  const names = stored.map(({ storedAs }) => storedAs)
  await enqueue(db, { kind: CLEANUP, payload: { names }, runAt: new Date(Date.now() + DAY_MS) })
  for (const { storedAs, bytes } of stored) await putFile(storedAs, bytes)
  return stored.map(({ bytes: _bytes, ...row }) => row)
}

/** Writes the rows of stored files, in the transaction of their email. */
export async function insertEmailFiles(
  trx: Trx,
  { messageId, contactId, files }: { messageId: string; contactId: string | null; files: StoredEmailFile[] },
): Promise<void> {
  if (files.length === 0) return
  const rows = files.map((file) => ({ ...file, messageId, contactId, source: 'email' as const }))
  await trx.insertInto('leadFiles').values(rows).execute()
}

const named = z.object({ names: z.array(z.string()) })

defineJob(CLEANUP, named, ({ names }) => removeUnless(db, names))
// A trigger enqueues it when the row of a file is deleted.
defineJob('leads.files.remove', named, ({ names }) => removeUnless(db, names))

async function removeUnless(connection: Database, names: string[]): Promise<void> {
  const rows = await connection.selectFrom('leadFiles').select('storedAs').where('storedAs', 'in', names).execute()
  const used = new Set(rows.map(({ storedAs }) => storedAs))
  for (const name of names) if (!used.has(name)) await removeFile(name)
}
