import { sql } from 'kysely'
import { audit, type AuditAction } from '#app/auth/users/audit.server.ts'
import { announceLeads } from '#app/leads/lead-signal.server.ts'
import { transaction, type Trx } from '#app/platform/database/db.server.ts'
import { stop } from '#app/platform/stop.ts'
import type { ProposalMark, LeadStatus } from './lead.ts'

const columns = ['answeredAt', 'proposal', 'proposalSettledAt'] as const

type Stands = { answeredAt: Date | null; proposal: ProposalMark | null; proposalSettledAt: Date | null }

// Each returns the resulting status, or `undefined` when the enquiry is missing. A repeat changes nothing and logs nothing.

/** Records that staff have written or called back. */
export function markAnswered(id: string, actorId: string): Promise<LeadStatus | undefined> {
  return change(id, actorId, 'enquiry_answered', (trx) =>
    trx.updateTable('contacts').set({ answeredAt: new Date() }).where('id', '=', id).where('answeredAt', 'is', null).returning(columns),
  )
}

/** Undoes `markAnswered`. A sent proposal also counts as a reply, so that has to be undone first. */
export function markWaiting(id: string, actorId: string): Promise<LeadStatus | undefined> {
  return change(id, actorId, 'enquiry_answer_taken_back', (trx) =>
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
  return change(id, actorId, proposal === 'sent' ? 'proposal_sent' : 'proposal_not_needed', (trx) =>
    trx
      .updateTable('contacts')
      .set((row) => ({
        proposal,
        proposalSettledAt: now,
        ...(proposal === 'sent' && { answeredAt: row.fn.coalesce('answeredAt', row.val(now)) }),
      }))
      .where('id', '=', id)
      .where('proposal', 'is', null)
      .returning(columns),
  )
}

/** Restarts the proposal clock, as if it had never stopped. */
export function reopenProposal(id: string, actorId: string): Promise<LeadStatus | undefined> {
  return change(id, actorId, 'proposal_taken_back', (trx) =>
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

async function change(id: string, actorId: string, action: AuditAction, changing: Changing): Promise<LeadStatus | undefined> {
  const { stands, isChanged } = await transaction(async (trx) => {
    const changed = await changing(trx).executeTakeFirst()
    if (changed) await audit(trx, action, { actorId, subjectId: id })
    const found = changed ?? (await trx.selectFrom('contacts').select(columns).where('id', '=', id).executeTakeFirst())
    return { stands: found, isChanged: changed !== undefined }
  })
  if (isChanged) announceLeads()
  return stands && toLeadStatus(stands)
}

function toLeadStatus({ answeredAt, proposal, proposalSettledAt }: Stands): LeadStatus {
  return { answeredAt: answeredAt?.toISOString() ?? null, proposal, proposalSettledAt: proposalSettledAt?.toISOString() ?? null }
}
