import { countTasksFor } from '#app/billing/admin/desk-list.server.ts'
import { countUnsentEmails } from '#app/mail/emails.server.ts'
import { listPending } from '#app/users/access-requests/access-decision.server.ts'
import { db } from '#app/platform/database/db.server.ts'
import { rowCount } from '#app/platform/database/sql.server.ts'
import { listOverdue } from '#app/leads/clocks/clocks.server.ts'
import { listEnquiriesOf } from '#app/leads/lead/contact.server.ts'
import type { CustomerHome, Waiting } from './workspace.ts'

/** `decides`: of access requests. `bills`: the person, where they have the right to change billing. */
export async function listWaiting(since: Date, { decides, bills }: { decides: boolean; bills: string | undefined }): Promise<Waiting> {
  const [overdue, unsent, requests, paymentTasks, open, contacts, consultations] = await Promise.all([
    listOverdue(),
    countUnsentEmails(),
    decides ? listPending() : [],
    bills ? countTasksFor(bills) : 0,
    countOpenDatasetWork(),
    countSince('contacts', since),
    countSince('consultations', since),
  ])
  return { overdue, failedLetters: unsent.failed, accessRequests: requests.length, paymentTasks, ...open, contacts, consultations }
}

async function countOpenDatasetWork() {
  const requests = db.selectFrom('productRequests').where('settledAt', 'is', null).select(rowCount.as('count'))
  const refused = db.selectFrom('datasetVersions').where('state', '=', 'refused').select(rowCount.as('count'))
  const [open, failed] = await Promise.all([requests.executeTakeFirstOrThrow(), refused.executeTakeFirstOrThrow()])
  return { datasetRequests: open.count, failedImports: failed.count }
}

export async function customerWorkspace(userId: string): Promise<CustomerHome> {
  const [enquiries, requests] = await Promise.all([listEnquiriesOf(userId), listRequestsOf(userId)])
  return { view: 'customer', enquiries, requests }
}

const MOST_REQUESTS = 20

/** The dataset requests of a customer, newest first. */
async function listRequestsOf(userId: string): Promise<CustomerHome['requests']> {
  const rows = await db
    .selectFrom('productRequests')
    .innerJoin('dataProducts', 'dataProducts.id', 'productRequests.productId')
    .select(['productRequests.id', 'slug', 'name', 'outcome', 'productRequests.createdAt'])
    .where('userId', '=', userId)
    .where('removedAt', 'is', null)
    .orderBy('productRequests.createdAt', 'desc')
    .limit(MOST_REQUESTS)
    .execute()
  return rows.map(({ outcome, createdAt, ...row }) => ({ ...row, outcome: outcome ?? 'open', createdAt: createdAt.toISOString() }))
}

/** The counts since a moment. Quarantined enquiries count after their release. */
async function countSince(table: 'contacts' | 'consultations', since: Date): Promise<number> {
  const all = db.selectFrom(table).where('createdAt', '>=', since)
  const listed = table === 'contacts' ? all.where('quarantinedAt', 'is', null).where('deletedAt', 'is', null) : all
  const { count } = await listed.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  return count
}
