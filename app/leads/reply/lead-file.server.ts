import { z } from 'zod'
import { type Actor, audit, by } from '#app/auth/users/audit.server.ts'
import { announceLeads } from '#app/leads/lead/lead-signal.server.ts'
import { oneLine } from '#app/platform/text/clean-text.ts'
import { db, insert, newId, transaction } from '#app/platform/database/db.server.ts'
import { daysAgo } from '#app/platform/database/sql.server.ts'
import { defineJob, enqueue } from '#app/platform/jobs.server.ts'
import { openFile, putFile, removeFile, type StoredFile } from '#app/platform/storage/storage.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import type { Row } from '#db/tables.ts'
import { toLeadFile } from './message.server.ts'
import type { LeadFile } from './message.ts'
import { FILE_TOO_LARGE, MOST_FILE_BYTES } from './reply.ts'

/** Enqueued for each deleted row by a trigger as well. */
const REMOVE_JOB = 'lead-files.remove'
const DAY_MS = 24 * 3_600_000
/** Attachments of a reply that was never sent. */
const DRAFT_DAYS = 7
const MOST_NAME = 200

type NewLeadFile = { name: string; type: string } & Pick<Row<'leadFiles'>, 'contactId' | 'messageId' | 'source' | 'createdBy'>

/** Writes the bytes of a file of a lead. Without a row a day later they are deleted, so the row has to be stored before. */
export async function storeLeadBytes(bytes: Uint8Array): Promise<{ id: string; size: number; storedAs: string }> {
  const id = newId()
  const storedAs = `lead-files/${id}`
  await enqueue(db, { kind: REMOVE_JOB, payload: { id, storedAs }, runAt: new Date(Date.now() + DAY_MS) })
  await putFile(storedAs, bytes)
  return { id, size: bytes.length, storedAs }
}

defineJob(REMOVE_JOB, z.object({ id: z.uuid(), storedAs: z.string() }), async ({ id, storedAs }) => {
  if (await db.selectFrom('leadFiles').select('id').where('id', '=', id).executeTakeFirst()) return
  await removeFile(storedAs)
})

/** Adds a file to a lead: of staff, or for a reply that is being written. */
export async function addLeadFile(bytes: Uint8Array, { name, type, ...given }: NewLeadFile, actor: Actor): Promise<LeadFile> {
  if (bytes.length > MOST_FILE_BYTES) stop('tooLarge', FILE_TOO_LARGE)
  if (bytes.length === 0) stop('unprocessable', 'This file is empty.')
  const stored = await storeLeadBytes(bytes)
  const file = await transaction(async (trx) => {
    const added = await insert(trx, 'leadFiles', { ...stored, ...given, name: fileNameOf(name), type: mediaTypeOf(type) })
    if (given.source === 'staff' && given.contactId) await audit(trx, 'lead_file_added', { ...by(actor), subjectId: given.contactId })
    return added
  })
  announceLeads()
  return toLeadFile(file)
}

/** Browsers send a bare name, but other clients can send a path. */
function fileNameOf(given: string): string {
  const name = oneLine(given.split(/[/\\]/).at(-1) ?? '')
  return Array.from(name).slice(0, MOST_NAME).join('') || 'file'
}

function mediaTypeOf(given: string): string {
  return /^[\w!#$&^.+-]{1,80}\/[\w!#$&^.+-]{1,80}$/.test(given) ? given.toLowerCase() : 'application/octet-stream'
}

/** The files of a lead, newest first: added by staff or the visitor, and those of emails. */
export async function listLeadFiles(contactId: string): Promise<LeadFile[]> {
  const rows = await db
    .selectFrom('leadFiles')
    .selectAll()
    .where('contactId', '=', contactId)
    .where((row) => row.or([row('source', '<>', 'reply'), row('messageId', 'is not', null)]))
    // The parts of a bounce report are beside the report only.
    .where((row) => {
      const bounces = row.selectFrom('leadMessages').select('leadMessages.id').where('leadMessages.kind', '=', 'bounce')
      return row.not(row.exists(bounces.whereRef('leadMessages.id', '=', 'leadFiles.messageId')))
    })
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(200)
    .execute()
  return rows.map(toLeadFile)
}

/** Its bytes are deleted a day later. Files of emails stay with them. */
export async function removeLeadFile(id: string, actor: Actor & { id: string }): Promise<boolean> {
  const removed = await transaction(async (trx) => {
    const file = await trx
      .deleteFrom('leadFiles')
      .where('id', '=', id)
      .where('messageId', 'is', null)
      .where('source', '<>', 'email')
      .where((row) => row.or([row('source', '<>', 'reply'), row('createdBy', '=', actor.id)]))
      .returning(['contactId', 'source'])
      .executeTakeFirst()
    if (file?.contactId && file.source !== 'reply') await audit(trx, 'lead_file_removed', { ...by(actor), subjectId: file.contactId })
    return file !== undefined
  })
  if (removed) announceLeads()
  return removed
}

/** A file of a lead for a download. Files of deleted leads are gone as the leads are. */
export async function openLeadFile(id: string): Promise<(StoredFile & { name: string }) | undefined> {
  const row = await db
    .selectFrom('leadFiles')
    .leftJoin('contacts', 'contacts.id', 'leadFiles.contactId')
    .select(['leadFiles.name', 'storedAs'])
    .where('leadFiles.id', '=', id)
    .where('contacts.deletedAt', 'is', null)
    .executeTakeFirst()
  const file = row && (await openFile(row.storedAs))
  return file && { ...file, name: row.name }
}

defineJob(
  'lead-files.forget-drafts',
  z.unknown(),
  async () => {
    await db
      .deleteFrom('leadFiles')
      .where('source', '=', 'reply')
      .where('messageId', 'is', null)
      .where('createdAt', '<', daysAgo(DRAFT_DAYS))
      .execute()
  },
  { every: 'day' },
)
