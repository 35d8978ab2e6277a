import { type RawBuilder, sql } from 'kysely'
import { insert, type Trx } from '#app/platform/database/db.server.ts'
import type { LeadEventKind } from './lead-event.ts'
import { emitLeadEvent } from './lead-webhook.server.ts'

type NewLeadEvent = {
  contactId: string
  kind: LeadEventKind
  /** Missing for what happened without a person. */
  actorId?: string | undefined
  detail?: Record<string, unknown>
  noteId?: string
  messageId?: string
  batchId?: string
}

/** Adds to the timeline of a lead, in the transaction of the change. */
export async function noteLeadEvent(trx: Trx, { detail = {}, actorId, ...event }: NewLeadEvent): Promise<void> {
  await insert(trx, 'leadEvents', { ...event, actorId: actorId ?? null, detail: JSON.stringify(detail) })
  await emitLeadEvent(trx, { contactId: event.contactId, kind: event.kind, detail })
}

/** Whether a lead has files, emails, proposals or calls, which are no events. Then undoing the import or the email that it came from leaves the lead. */
export const hasWork = (contactId: RawBuilder<unknown>) => sql`(
    EXISTS (SELECT FROM lead_files WHERE contact_id = ${contactId}) OR EXISTS (SELECT FROM lead_messages WHERE contact_id = ${contactId})
    OR EXISTS (SELECT FROM proposals WHERE contact_id = ${contactId}) OR EXISTS (SELECT FROM consultations WHERE contact_id = ${contactId})
    OR EXISTS (SELECT FROM bookings WHERE contact_id = ${contactId}))`

/** Tells staff why a visitor got no email: the budget of emails protects an address that anyone can type. */
export async function noteWithheldEmail(trx: Trx, contactId: string, what: string): Promise<void> {
  const text = `${what} was not sent: too many emails were requested for this address, or from this network, within an hour.`
  await noteLeadEvent(trx, { contactId, kind: 'email_withheld', detail: { text } })
}
