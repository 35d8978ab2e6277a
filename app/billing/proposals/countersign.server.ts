import { type Actor, audit, by } from '#app/auth/users/audit.server.ts'
import { noteLeadEvent } from '#app/leads/lead/lead-event.server.ts'
import { announceLeads } from '#app/leads/lead/lead-signal.server.ts'
import { enqueueEmail } from '#app/mail/outbox.server.ts'
import { transaction } from '#app/platform/database/db.server.ts'
import { now } from '#app/platform/database/sql.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { enqueue } from '#app/platform/jobs.server.ts'
import { proposalCountersignedEmail } from './proposal.email.tsx'
import { lockProposal, titleOf } from './proposal.server.ts'
import { readSigned } from './signed-document.ts'
import { signedFileJob } from './signed-file.server.ts'

/** Signs an accepted proposal for the business. A file with both signatures follows. */
export async function countersignProposal(id: string, name: string, author: Actor & { id: string }): Promise<void> {
  await transaction(async (trx) => {
    const row = await lockProposal(trx, id)
    if (row.signedDocument === null) return stop('conflict', 'The client has not signed yet.', { code: 'not_accepted' })
    if (row.countersignedAt) stop('conflict', `${row.countersignedName} has countersigned before.`, { code: 'countersigned' })
    await trx
      .updateTable('proposals')
      .set({ countersignedAt: now, countersignedBy: author.id, countersignedName: name, updatedAt: now })
      .where('id', '=', id)
      .execute()
    await audit(trx, 'proposal_countersigned', {
      ...by(author),
      subjectId: row.contactId ?? undefined,
      detail: { proposal: row.reference, hash: row.signedHash },
    })
    if (row.contactId)
      await noteLeadEvent(trx, {
        contactId: row.contactId,
        kind: 'proposal_countersigned',
        actorId: author.id,
        detail: { title: titleOf(row) },
      })
    await enqueue(trx, signedFileJob(id, 'countersigned'))
    const { signer } = readSigned(row.signedDocument)
    const { reference, number, content, contactId } = row
    const told = { id, name: signer.name, title: content.title, reference, number, signer: name }
    await enqueueEmail(trx, { ...proposalCountersignedEmail(signer.email, told), ...(contactId && { contactId }) })
    return undefined
  })
  announceLeads()
}
