import { audit } from '#app/auth/users/audit.server.ts'
import { notificationJob } from '#app/account/notifications/notification.server.ts'
import { proposalPageTexts as words } from '#app/content/proposals.ts'
import { noteLeadEvent } from '#app/leads/lead/lead-event.server.ts'
import { announceLeads } from '#app/leads/lead/lead-signal.server.ts'
import { db, insert, newId, transaction, type Trx } from '#app/platform/database/db.server.ts'
import { now } from '#app/platform/database/sql.server.ts'
import { enqueue } from '#app/platform/jobs.server.ts'
import { shortened } from '#app/platform/text/shortened.ts'
import type { Row } from '#db/tables.ts'
import { emitProposal } from './proposal-event.server.ts'
import { proposalToken } from '#app/billing/orders/proposal-link.server.ts'
import { lockProposal, titleOf, toQuestion } from './proposal.server.ts'
import type { ProposalQuestion } from './proposal.ts'

/** Questions of one version. Far more than a client asks; a stranger with the link cannot fill a database. */
const MOST_QUESTIONS = 50

/** The state as it counts now: the job that ends old proposals runs only so often. */
export function stateAt({ state, validUntil }: Pick<Row<'proposals'>, 'state' | 'validUntil'>, at = new Date()): Row<'proposals'>['state'] {
  return state === 'sent' && validUntil <= at ? 'expired' : state
}

export async function listQuestions(proposalId: string): Promise<ProposalQuestion[]> {
  const rows = await db
    .selectFrom('proposalQuestions')
    .selectAll()
    .where('proposalId', '=', proposalId)
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
  return rows.map(toQuestion)
}

/** The token of a later version. It opens that one, so it has to have gone to the same address. */
export async function findNewer({ id, contactId, sentTo }: Row<'proposals'>): Promise<string | undefined> {
  const newer = await db
    .selectFrom('proposals')
    .select('id')
    .where('contactId', '=', contactId ?? '')
    // The database compares its own moments: PostgreSQL has microseconds, which a Date loses.
    .where('createdAt', '>', (of) => of.selectFrom('proposals as this').select('this.createdAt').where('this.id', '=', id))
    .where('state', 'not in', ['draft', 'replaced', 'withdrawn'])
    .where('sentTo', '=', sentTo ?? '')
    .orderBy('createdAt', 'desc')
    .limit(1)
    .executeTakeFirst()
  return newer && proposalToken(newer.id)
}

/** The first look at a version that was sent: the timeline tells it, and the signature says that it was read before. */
export async function noteOpened(row: Row<'proposals'>): Promise<void> {
  if (row.state !== 'sent' || row.openedAt) return
  const isFirst = await transaction(async (trx) => {
    const opened = await trx
      .updateTable('proposals')
      .set({ openedAt: now })
      .where('id', '=', row.id)
      .where('openedAt', 'is', null)
      .returning('id')
      .executeTakeFirst()
    if (opened && row.contactId)
      await noteLeadEvent(trx, { contactId: row.contactId, kind: 'proposal_opened', detail: { title: titleOf(row) } })
    return opened !== undefined
  })
  if (isFirst) announceLeads()
}

/** Returns a sentence where the question was not taken. A repeat of an open question is taken once. */
export async function askQuestion(id: string, { lineId, question }: { lineId: string; question: string }): Promise<string | undefined> {
  const refused = await transaction(async (trx) => {
    const row = await lockProposal(trx, id)
    const refusal = refusalOf(row)
    if (refusal) return refusal
    const line = row.content.lines.find((each) => each.id === lineId)
    const known = await trx.selectFrom('proposalQuestions').select(['lineId', 'question']).where('proposalId', '=', id).execute()
    if (known.some((each) => each.lineId === (line?.id ?? '') && each.question === question)) return undefined
    if (known.length >= MOST_QUESTIONS) return words.questions.full
    await insert(trx, 'proposalQuestions', { proposalId: id, lineId: line?.id ?? '', question })
    await tell(trx, row, {
      kind: 'proposal_question',
      title: 'Question about a proposal',
      detail: { title: line?.title ?? row.content.title, text: question },
    })
    return undefined
  })
  announceLeads()
  return refused
}

/** Why nothing can be done with a version, in words; undefined while it is open. */
export function refusalOf(row: Pick<Row<'proposals'>, 'state' | 'validUntil'>): string | undefined {
  const state = stateAt(row)
  if (state === 'sent') return undefined
  return state === 'draft' ? words.preview : words.states[state]
}

/** A second press of the button that declines changes nothing. */
export function isDeclinedFor({ state, reason }: Pick<Row<'proposals'>, 'state' | 'reason'>, given: string): boolean {
  return state === 'declined' && reason === given
}

/** Returns a sentence where it could not be declined. */
export async function declineProposal(id: string, reason: string, address: string): Promise<string | undefined> {
  const refused = await transaction(async (trx) => {
    const row = await lockProposal(trx, id)
    if (isDeclinedFor(row, reason)) return undefined
    const refusal = refusalOf(row)
    if (refusal) return refusal
    const declined = await trx
      .updateTable('proposals')
      .set({ state: 'declined', settledAt: now, reason, codeMac: null, updatedAt: now })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
    await audit(trx, 'proposal_declined', {
      subjectId: row.contactId ?? undefined,
      address,
      detail: { proposal: row.reference, number: row.number },
    })
    await tell(trx, row, {
      kind: 'proposal_declined',
      title: 'Proposal declined',
      detail: { title: titleOf(row), ...(reason && { text: reason }) },
    })
    await emitProposal(trx, 'proposal.declined', declined)
    return undefined
  })
  announceLeads()
  return refused
}

type Told = {
  kind: 'proposal_question' | 'proposal_declined' | 'proposal_accepted' | 'deposit_paid' | 'final_paid'
  title: string
  detail: Record<string, unknown>
}

/** The timeline, and a notification to staff. */
export async function tell(trx: Trx, { contactId }: Pick<Row<'proposals'>, 'contactId'>, { kind, title, detail }: Told): Promise<void> {
  const lead =
    contactId && (await trx.selectFrom('contacts').select(['id', 'name', 'reference']).where('id', '=', contactId).executeTakeFirst())
  if (!lead) return
  await noteLeadEvent(trx, { contactId: lead.id, kind, detail })
  const text = detail['text'] ?? detail['title']
  const notice = notificationJob({
    kind: 'lead',
    title: `${title}: ${lead.name}`.slice(0, 200),
    body: typeof text === 'string' ? shortened(text, 300) : null,
    link: `/leads/${lead.reference}/proposal`,
    subjectId: lead.id,
    dedupeKey: `${kind}:${newId()}`,
    to: { roles: ['staff', 'owner'] },
  })
  await enqueue(trx, notice)
}
