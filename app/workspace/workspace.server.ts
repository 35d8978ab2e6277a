import { countFailedLetters } from '#app/mail/letters.server.ts'
import { db } from '#app/platform/db.server.ts'
import { listOverdue } from '#app/sales/clocks.server.ts'
import { listEnquiriesOf } from '#app/sales/contact.server.ts'
import type { CustomerHome, Waiting } from './workspace.ts'

/** What waits for staff, and how much came in since a moment. */
export async function listWaiting(since: Date): Promise<Waiting> {
  const [overdue, failedLetters, contacts, consultations] = await Promise.all([
    listOverdue(),
    countFailedLetters(),
    countSince('contacts', since),
    countSince('consultations', since),
  ])
  return { overdue, failedLetters, contacts, consultations }
}

export async function customerWorkspace(userId: string): Promise<CustomerHome> {
  return { view: 'customer', enquiries: await listEnquiriesOf(userId) }
}

/** What came in since a moment. Doubtful enquiries count once they are released. */
async function countSince(table: 'contacts' | 'consultations', since: Date): Promise<number> {
  const all = db.selectFrom(table).where('createdAt', '>=', since)
  const listed = table === 'contacts' ? all.where('quarantinedAt', 'is', null) : all
  const { count } = await listed.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  return count
}
