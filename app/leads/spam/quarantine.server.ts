import { ownerEmail } from '#app/auth/users/account.server.ts'
import { db, transaction } from '#app/platform/database/db.server.ts'
import type { Quarantined } from '#app/leads/lead/lead.ts'
import { noteLeadEvent } from '#app/leads/lead/lead-event.server.ts'
import { announceLeads } from '#app/leads/lead/lead-signal.server.ts'
import { enqueueLeadEmails } from '#app/leads/lead/lead-emails.server.ts'

/** Quarantined enquiries, newest first. `before` is the id of the last one on the previous page. */
export async function listQuarantine({ limit, before }: { limit: number; before?: string | undefined }): Promise<Quarantined[]> {
  const rows = await db
    .selectFrom('contacts')
    .selectAll()
    .where('quarantinedAt', 'is not', null)
    .$if(before !== undefined, (query) => query.where('id', '<', before ?? ''))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() }))
}

/**
 * Makes a quarantined enquiry a normal lead and sends its emails. Returns `undefined` when it is not in quarantine, so two simultaneous
 * releases send its emails once.
 */
export async function releaseEnquiry(id: string, actorId?: string) {
  const released = await transaction(async (trx) => {
    const found = await trx
      .updateTable('contacts')
      .set({ quarantinedAt: null, releasedAt: new Date() })
      .where('id', '=', id)
      .where('quarantinedAt', 'is not', null)
      .returningAll()
      .returning(ownerEmail().as('ownerEmail'))
      .executeTakeFirst()
    if (!found) return undefined
    const { ownerEmail: owner, ...contact } = found
    await noteLeadEvent(trx, { contactId: id, kind: 'released', actorId })
    await enqueueLeadEmails(trx, contact, owner)
    return contact
  })
  if (released) announceLeads()
  return released
}
