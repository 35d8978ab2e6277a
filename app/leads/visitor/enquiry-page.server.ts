import { audit } from '#app/auth/users/audit.server.ts'
import { notificationJob } from '#app/account/notifications/notification.server.ts'
import { findDeadlines } from '#app/leads/lead/deadline.server.ts'
import { parseHireMessage } from '#app/leads/lead/hire-message.ts'
import type { OwnEnquiry } from '#app/leads/lead/lead.ts'
import type { LeadEventKind } from '#app/leads/lead/lead-event.ts'
import { noteLeadEvent } from '#app/leads/lead/lead-event.server.ts'
import { announceLeads } from '#app/leads/lead/lead-signal.server.ts'
import { storeLeadBytes } from '#app/leads/reply/lead-file.server.ts'
import { db, insert, newId, transaction, type Trx } from '#app/platform/database/db.server.ts'
import { enqueue } from '#app/platform/jobs.server.ts'
import { additionLimits, type FileRefusal } from './enquiry-file.ts'

/** An enquiry as its sender sees it on their own page: never notes, people, stages or values. */
export type EnquiryPage = Pick<OwnEnquiry, 'deadlines' | 'owesProposal'> & {
  id: string
  reference: string
  problem: string
  message: string
  receivedAt: Date
  answeredAt: Date | null
  proposalSentAt: Date | null
  withdrawnAt: Date | null
  isQuarantined: boolean
  details: { id: string; text: string; at: Date }[]
  files: { id: string; name: string; size: number; at: Date }[]
}

/** The content of the page. */
export async function findEnquiryPage(id: string): Promise<EnquiryPage | undefined> {
  const contact = await db.selectFrom('contacts').selectAll().where('id', '=', id).where('deletedAt', 'is', null).executeTakeFirst()
  if (!contact) return undefined
  const [deadlinesOf, details, files] = await Promise.all([
    findDeadlines([contact]),
    listDetails(id),
    db
      .selectFrom('leadFiles')
      .selectAll()
      .where('contactId', '=', id)
      .where('source', '=', 'visitor')
      .orderBy('createdAt')
      .orderBy('id')
      .execute(),
  ])
  const { reference, problem, message, createdAt, answeredAt, proposal, proposalSettledAt, withdrawnAt, quarantinedAt } = contact
  return {
    id,
    reference,
    problem,
    message: parseHireMessage(message).text,
    receivedAt: createdAt,
    answeredAt,
    proposalSentAt: proposal === 'sent' ? proposalSettledAt : null,
    withdrawnAt,
    isQuarantined: quarantinedAt !== null,
    deadlines: deadlinesOf(contact),
    owesProposal: proposal === null,
    details,
    files: files.map((file) => ({ id: file.id, name: file.name, size: file.size, at: file.createdAt })),
  }
}

async function listDetails(contactId: string): Promise<EnquiryPage['details']> {
  const rows = await db
    .selectFrom('leadEvents')
    .select(['id', 'detail', 'createdAt'])
    .where('contactId', '=', contactId)
    .where('kind', '=', 'details_added')
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
  return rows.flatMap(({ id, detail: { text }, createdAt }) => (typeof text === 'string' ? [{ id, text, at: createdAt }] : []))
}

/** Adds a text, and resumes a withdrawn enquiry. A repeat adds nothing. Returns false when there is no room for it. */
export async function addDetails(contactId: string, text: string): Promise<boolean> {
  return change(contactId, async (trx, contact) => {
    const known = await trx
      .selectFrom('leadEvents')
      .select('detail')
      .where('contactId', '=', contactId)
      .where('kind', '=', 'details_added')
      .execute()
    if (known.some(({ detail }) => detail['text'] === text)) return true
    if (known.length >= additionLimits.details) return false
    await resume(trx, contact)
    await tell(trx, contact, { kind: 'details_added', title: 'Details added', detail: { text } })
    return true
  })
}

/** Ends an enquiry at the wish of its sender: a trigger ends its clocks. */
export async function withdrawEnquiry(contactId: string): Promise<void> {
  await change(contactId, async (trx, contact) => {
    if (contact.withdrawnAt) return true
    await trx.updateTable('contacts').set({ withdrawnAt: new Date() }).where('id', '=', contactId).execute()
    await tell(trx, contact, { kind: 'withdrawn', title: 'Withdrawn' })
    await audit(trx, 'enquiry_withdrawn', { subjectId: contactId })
    return true
  })
}

/** Undoes `withdrawEnquiry`: its clocks run on, with their old deadlines. */
export async function resumeEnquiry(contactId: string): Promise<void> {
  await change(contactId, async (trx, contact) => {
    await resume(trx, contact)
    return true
  })
}

export type GivenFile = { name: string; type: string; bytes: Uint8Array }

/** Adds files, all or none, and resumes a withdrawn enquiry. Returns the reason when there is no room for them. */
export async function addFiles(contactId: string, files: readonly GivenFile[]): Promise<FileRefusal | undefined> {
  const stored = await Promise.all(files.map(async ({ bytes, ...file }) => ({ ...file, ...(await storeLeadBytes(bytes)) })))
  return change(contactId, async (trx, contact) => {
    const known = await trx
      .selectFrom('leadFiles')
      .select('size')
      .where('contactId', '=', contactId)
      .where('source', '=', 'visitor')
      .execute()
    if (known.length + stored.length > additionLimits.files) return 'count'
    const bytes = [...known, ...stored].reduce((sum, { size }) => sum + size, 0)
    if (bytes > additionLimits.bytes) return 'size'
    await resume(trx, contact)
    for (const file of stored) {
      await insert(trx, 'leadFiles', { ...file, contactId, source: 'visitor' })
      await tell(trx, contact, { kind: 'file_added', title: 'File added', detail: { fileId: file.id, title: file.name, size: file.size } })
    }
    return undefined
  })
}

type Changed = { id: string; name: string; reference: string; withdrawnAt: Date | null }

/** Changes of one enquiry run in turn, so that its bounds hold. */
async function change<Outcome>(contactId: string, work: (trx: Trx, contact: Changed) => Promise<Outcome>): Promise<Outcome> {
  const outcome = await transaction(async (trx) => {
    const contact = await trx
      .selectFrom('contacts')
      .select(['id', 'name', 'reference', 'withdrawnAt'])
      .where('id', '=', contactId)
      .forUpdate()
      .executeTakeFirstOrThrow()
    return work(trx, contact)
  })
  announceLeads()
  return outcome
}

async function resume(trx: Trx, contact: Changed): Promise<void> {
  if (!contact.withdrawnAt) return
  await trx.updateTable('contacts').set({ withdrawnAt: null }).where('id', '=', contact.id).execute()
  await tell(trx, contact, { kind: 'resumed', title: 'Withdrawal undone' })
  await audit(trx, 'enquiry_resumed', { subjectId: contact.id })
}

type Told = { kind: LeadEventKind; title: string; detail?: Record<string, unknown> }

/** The timeline, and a notification to staff. */
async function tell(trx: Trx, { id, name, reference }: Changed, { kind, title, detail = {} }: Told): Promise<void> {
  await noteLeadEvent(trx, { contactId: id, kind, detail })
  const notice = notificationJob({
    kind: 'lead',
    title: `${title} by ${name}`.slice(0, 200),
    body: reference,
    link: `/leads/${reference}`,
    subjectId: id,
    dedupeKey: `${kind}:${newId()}`,
    to: { roles: ['staff', 'owner'] },
  })
  await enqueue(trx, notice)
}
