import { db } from '#app/platform/database/db.server.ts'
import { now } from '#app/platform/database/sql.server.ts'
import { mailboxAddress } from './mailbox-address.server.ts'
import type { MailboxState } from './unknown-email.ts'

/** How the connection to the mailbox of replies is, for staff. */
export async function findMailboxState(): Promise<MailboxState> {
  const address = mailboxAddress()
  if (!address) return { state: 'missing', host: null, checkedAt: null, error: null }
  const row = await db.selectFrom('mailboxes').selectAll().where('name', '=', address.name).executeTakeFirst()
  const state = row?.error ? 'failing' : row?.checkedAt ? 'connected' : 'connecting'
  return { state, host: address.host, checkedAt: row?.checkedAt?.toISOString() ?? null, error: row?.error ?? null }
}

/** Notes that the folder was looked at without an error. */
export async function noteMailboxChecked(name: string): Promise<void> {
  await db.updateTable('mailboxes').set({ checkedAt: now, error: null }).where('name', '=', name).execute()
}

/** Notes why the mailbox cannot be read, also before it was read for the first time. */
export async function noteMailboxFailure(name: string, error: string): Promise<void> {
  await db
    .insertInto('mailboxes')
    .values({ name, uidValidity: 0, lastUid: 0, error })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ error }))
    .execute()
}
