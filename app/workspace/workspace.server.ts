import { countFailedEmails } from '#app/mail/emails.server.ts'
import { db } from '#app/platform/database/db.server.ts'
import { listOverdue } from '#app/leads/inbox/clocks.server.ts'
import { listEnquiriesOf } from '#app/leads/inbox/contact.server.ts'
import type { CustomerHome, Waiting } from './workspace.ts'

export async function listWaiting(since: Date): Promise<Waiting> {
  const [overdue, failedEmails, contacts, consultations] = await Promise.all([
    listOverdue(),
    countFailedEmails(),
    countSince('contacts', since),
    countSince('consultations', since),
  ])
  return { overdue, failedLetters: failedEmails, contacts, consultations }
}

export async function customerWorkspace(userId: string): Promise<CustomerHome> {
  return { view: 'customer', enquiries: await listEnquiriesOf(userId) }
}

/** The counts since a moment. Quarantined enquiries count after their release. */
async function countSince(table: 'contacts' | 'consultations', since: Date): Promise<number> {
  const all = db.selectFrom(table).where('createdAt', '>=', since)
  const listed = table === 'contacts' ? all.where('quarantinedAt', 'is', null) : all
  const { count } = await listed.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  return count
}
