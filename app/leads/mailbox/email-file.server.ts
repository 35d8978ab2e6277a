import type { Trx } from '#app/platform/database/db.server.ts'
import { storeLeadBytes } from '#app/leads/reply/lead-file.server.ts'
import type { ReceivedFile } from './read-email.server.ts'
import { fileTypeOf } from './file-type.server.ts'

/** A file in the storage whose row is still to be written. */
export type StoredEmailFile = { id: string; name: string; type: string; size: number; storedAs: string }

/**
 * Puts files of an email into the storage, before the transaction with their rows. Those that have no row a day later are removed, because
 * the process was killed between the two.
 */
export async function storeEmailFiles(files: ReceivedFile[]): Promise<StoredEmailFile[]> {
  return Promise.all(files.map(async ({ name, bytes }) => ({ name, type: fileTypeOf(bytes), ...(await storeLeadBytes(bytes)) })))
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
