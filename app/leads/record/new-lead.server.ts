import { type Actor, audit, by } from '#app/auth/users/audit.server.ts'
import { countryCodeOf } from '#app/content/country.ts'
import { requireOwner } from '#app/leads/lead/desk-fact.server.ts'
import { enqueueAddedLead } from '#app/leads/lead/lead-emails.server.ts'
import { noteLeadEvent } from '#app/leads/lead/lead-event.server.ts'
import { notifyAssigned } from '#app/leads/lead/lead-notice.server.ts'
import { announceLeads } from '#app/leads/lead/lead-signal.server.ts'
import type { NewLeadBody } from '#app/leads/lead/new-lead.ts'
import { attachPerson } from '#app/leads/lead/person.server.ts'
import { newReference } from '#app/platform/database/reference.server.ts'
import { newId, transaction, type Trx } from '#app/platform/database/db.server.ts'
import type { Row } from '#db/tables.ts'

type Staff = Actor & { id: string }

/**
 * Adds a lead by hand, of the person with this address, known or new. Whoever adds it has spoken with the person, so it counts as answered and no
 * clock runs; with an acknowledgement, the person is promised a reply, and the clocks run.
 */
export async function addLead(body: NewLeadBody, staff: Staff): Promise<{ id: string; reference: string }> {
  const lead = await transaction(async (trx) => {
    const contact = await insertLead(trx, body)
    await giveWork(trx, contact.id, body, staff)
    await noteLeadEvent(trx, { contactId: contact.id, kind: 'added', actorId: staff.id })
    await audit(trx, 'lead_made', { ...by(staff), subjectId: contact.id })
    await enqueueAddedLead(trx, contact, body.acknowledge === true)
    return contact
  })
  announceLeads()
  return { id: lead.id, reference: lead.reference }
}

/** The values that staff set for a new lead. Without an owner, it belongs to the person who adds it. */
export async function giveWork(trx: Trx, contactId: string, lead: Pick<NewLeadBody, 'ownerId' | 'phone' | 'valueCents'>, staff: Staff) {
  const { phone, valueCents, ownerId = staff.id } = lead
  if (ownerId) await requireOwner(trx, ownerId)
  await trx
    .updateTable('leads')
    .set({ ownerId, phone: phone || null, valueCents: valueCents ?? null })
    .where('contactId', '=', contactId)
    .execute()
  if (ownerId) await notifyAssigned(trx, { contactId, ownerId, actorId: staff.id })
}

async function insertLead(trx: Trx, body: NewLeadBody): Promise<Row<'contacts'>> {
  const { name, email = '', problem, message, company, country, acknowledge } = body
  const { id: personId } = await attachPerson(trx, { email, name })
  const settled = acknowledge ? {} : { answeredAt: new Date(), proposal: 'not_needed' as const, proposalSettledAt: new Date() }
  const row = {
    personId,
    name,
    email,
    company: company || null,
    country: country ?? '',
    countryCode: countryCodeOf(country ?? '') ?? null,
    problem,
    message: message || problem,
    form: 'staff' as const,
    ...settled,
  }
  for (;;) {
    const added = await trx
      .insertInto('contacts')
      .values({ ...row, id: newId(), reference: newReference() })
      .onConflict((conflict) => conflict.constraint('contacts_reference_key').doNothing())
      .returningAll()
      .executeTakeFirst()
    if (added) return added
  }
}
