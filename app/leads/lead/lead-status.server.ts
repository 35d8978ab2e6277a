import { sql } from 'kysely'
import { audit, type AuditAction } from '#app/auth/users/audit.server.ts'
import type { LeadEventKind } from './lead-event.ts'
import { noteLeadEvent } from './lead-event.server.ts'
import { BY_EMAIL } from './lead-webhook.server.ts'
import { announceLeads } from './lead-signal.server.ts'
import { advanceLead, retreatLead } from './stage.server.ts'
import { transaction, type Trx } from '#app/platform/database/db.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import type { ProposalMark, LeadStatus } from './lead.ts'

const columns = ['answeredAt', 'proposal', 'proposalSettledAt'] as const

type Stands = { answeredAt: Date | null; proposal: ProposalMark | null; proposalSettledAt: Date | null }

// Each returns the resulting status, or `undefined` when the enquiry is missing. A repeat changes nothing and logs nothing.

/** Records that staff have written or called back. */
export function markAnswered(id: string, actorId: string): Promise<LeadStatus | undefined> {
  return change(id, actorId, deeds.answered, (trx) =>
    trx.updateTable('contacts').set({ answeredAt: new Date() }).where('id', '=', id).where('answeredAt', 'is', null).returning(columns),
  )
}

/** Undoes `markAnswered`. A sent proposal also counts as a reply, so that has to be undone first. */
export function markWaiting(id: string, actorId: string): Promise<LeadStatus | undefined> {
  return change(id, actorId, deeds.answerUndone, (trx) =>
    trx
      .updateTable('contacts')
      .set({ answeredAt: null })
      .where('id', '=', id)
      .where('answeredAt', 'is not', null)
      .where((row) => row.or([row('proposal', 'is', null), row('proposal', '!=', 'sent')]))
      .returning(columns),
  ).then((status) => {
    if (status?.proposal === 'sent') stop('conflict', 'Sending the proposal counts as the reply. Reopen the proposal first.')
    return status
  })
}

/** Stops the proposal clock. A sent proposal also counts as the first reply. */
export function settleProposal(id: string, proposal: ProposalMark, actorId: string): Promise<LeadStatus | undefined> {
  const now = new Date()
  return change(id, actorId, proposal === 'sent' ? deeds.proposalSent : deeds.proposalNotNeeded, (trx) => settling(trx, id, proposal, now))
}

/** Stops the proposal clock in the transaction that sends a proposal. A later version is only noted. */
export async function proposeBy(trx: Trx, id: string, actorId: string, detail: { title: string }): Promise<void> {
  const changed = await settling(trx, id, 'sent', new Date()).executeTakeFirst()
  if (changed) await noteDeed(trx, id, actorId, { ...deeds.proposalSent, detail })
  else await noteLeadEvent(trx, { contactId: id, kind: 'proposal_sent', actorId, detail })
}

function settling(trx: Trx, id: string, proposal: ProposalMark, at: Date) {
  return trx
    .updateTable('contacts')
    .set((row) => ({
      proposal,
      proposalSettledAt: at,
      ...(proposal === 'sent' && { answeredAt: row.fn.coalesce('answeredAt', row.val(at)) }),
    }))
    .where('id', '=', id)
    .where('proposal', 'is', null)
    .returning(columns)
}

/** Restarts the proposal clock, as if it had never stopped. */
export function reopenProposal(id: string, actorId: string): Promise<LeadStatus | undefined> {
  return change(id, actorId, deeds.proposalReopened, (trx) =>
    trx
      .updateTable('contacts')
      .set({
        proposal: null,
        proposalSettledAt: null,
        // The same time: the proposal was the reply.
        answeredAt: sql`CASE WHEN proposal = 'sent' AND answered_at = proposal_settled_at THEN NULL ELSE answered_at END`,
      })
      .where('id', '=', id)
      .where('proposal', 'is not', null)
      .returning(columns),
  )
}

type Changing = (trx: Trx) => { executeTakeFirst: () => Promise<Stands | undefined> }

/** The entries of a change in the audit log and the timeline, and the stage that it leads to or undoes. */
type Deed = {
  action: AuditAction
  kind: LeadEventKind
  detail?: Record<string, unknown>
  advances?: 'reply' | 'proposal'
  undoes?: 'reply' | 'proposal'
}

const deeds = {
  answered: { action: 'enquiry_answered', kind: 'answered', advances: 'reply' },
  answerUndone: { action: 'enquiry_answer_taken_back', kind: 'answer_undone', undoes: 'reply' },
  proposalSent: { action: 'proposal_sent', kind: 'proposal_sent', advances: 'proposal' },
  proposalNotNeeded: { action: 'proposal_not_needed', kind: 'proposal_not_needed' },
  proposalReopened: { action: 'proposal_taken_back', kind: 'proposal_reopened', undoes: 'proposal' },
} satisfies Record<string, Deed>

/** `markAnswered` in the transaction of an email to the person. Returns the moment, or nothing where it was answered before. */
export async function answerBy(trx: Trx, id: string, actorId: string): Promise<Date | undefined> {
  const answeredAt = new Date()
  const changed = await trx
    .updateTable('contacts')
    .set({ answeredAt })
    .where('id', '=', id)
    .where('answeredAt', 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (!changed) return undefined
  await noteDeed(trx, id, actorId, { ...deeds.answered, detail: { by: BY_EMAIL } })
  return answeredAt
}

/** Settles a lead whose request was decided elsewhere: the email about it is the reply, and no proposal follows. */
export async function settleBy(trx: Trx, id: string, actorId: string): Promise<void> {
  await answerBy(trx, id, actorId)
  const settled = await trx
    .updateTable('contacts')
    .set({ proposal: 'not_needed', proposalSettledAt: new Date() })
    .where('id', '=', id)
    .where('proposal', 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (settled) await noteDeed(trx, id, actorId, deeds.proposalNotNeeded)
}

/** Undoes `answerBy` for an email that never left: only while nothing else has counted as the reply since. */
export async function unanswerBy(trx: Trx, id: string, answeredAt: string, actorId: string): Promise<void> {
  const changed = await trx
    .updateTable('contacts')
    .set({ answeredAt: null })
    .where('id', '=', id)
    .where('answeredAt', '=', new Date(answeredAt))
    .where((row) => row.or([row('proposal', 'is', null), row('proposal', '!=', 'sent')]))
    .returning('id')
    .executeTakeFirst()
  if (changed) await noteDeed(trx, id, actorId, deeds.answerUndone)
}

async function change(id: string, actorId: string, deed: Deed, changing: Changing): Promise<LeadStatus | undefined> {
  const { stands, isChanged } = await transaction(async (trx) => {
    const changed = await changing(trx).executeTakeFirst()
    if (changed) await noteDeed(trx, id, actorId, deed)
    const found = changed ?? (await trx.selectFrom('contacts').select(columns).where('id', '=', id).executeTakeFirst())
    return { stands: found, isChanged: changed !== undefined }
  })
  if (isChanged) announceLeads()
  return stands && toLeadStatus(stands)
}

async function noteDeed(
  trx: Trx,
  contactId: string,
  actorId: string,
  { action, kind, detail = {}, advances, undoes }: Deed,
): Promise<void> {
  await audit(trx, action, { actorId, subjectId: contactId })
  await noteLeadEvent(trx, { contactId, kind, actorId, detail })
  if (advances) await advanceLead(trx, contactId, advances, actorId)
  if (undoes) await retreatLead(trx, contactId, undoes, actorId)
}

function toLeadStatus({ answeredAt, proposal, proposalSettledAt }: Stands): LeadStatus {
  return { answeredAt: answeredAt?.toISOString() ?? null, proposal, proposalSettledAt: proposalSettledAt?.toISOString() ?? null }
}
