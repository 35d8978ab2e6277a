import { type Actor, audit, by } from '#app/auth/users/audit.server.ts'
import { noteLeadEvent } from '#app/leads/lead/lead-event.server.ts'
import { db, transaction } from '#app/platform/database/db.server.ts'
import { pageUrlOf } from '#app/leads/lead/page-link.server.ts'
import type { VisitorPage } from './visitor-page.ts'

/** The address of the visitor's own page of a lead. */
export async function findVisitorPage(contactId: string): Promise<VisitorPage> {
  const lead = await db
    .selectFrom('leads')
    .select(['contactId', 'pageVersion', 'pageRevokedAt'])
    .where('contactId', '=', contactId)
    .executeTakeFirstOrThrow()
  return { url: lead.pageRevokedAt ? null : pageUrlOf(lead) }
}

/** The old address stops working, for good; `isRenewed` makes a new one. */
export async function replaceVisitorLink(contactId: string, isRenewed: boolean, actor: Actor & { id: string }): Promise<VisitorPage> {
  const kind = isRenewed ? 'visitor_link_renewed' : 'visitor_link_revoked'
  await transaction(async (trx) => {
    await trx
      .updateTable('leads')
      .set((row) => ({ pageVersion: row('pageVersion', '+', 1), pageRevokedAt: isRenewed ? null : new Date() }))
      .where('contactId', '=', contactId)
      .execute()
    await noteLeadEvent(trx, { contactId, kind, actorId: actor.id })
    await audit(trx, kind, { ...by(actor), subjectId: contactId })
  })
  return findVisitorPage(contactId)
}
