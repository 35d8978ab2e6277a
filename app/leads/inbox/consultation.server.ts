import { sql } from 'kysely'
import { announceLeads } from '#app/leads/lead-signal.server.ts'
import { db, insert, newId, transaction, type Trx } from '#app/platform/database/db.server.ts'
import { stop } from '#app/platform/stop.ts'
import type { Row } from '#db/tables.ts'
import type { NewConsultation } from './consultation.ts'

/** Stores a consultation that did not come from an enquiry on the site. */
export async function noteConsultation(consultation: NewConsultation): Promise<Row<'consultations'>> {
  const { company, phone, ...rest } = consultation
  const noted = await transaction(async (trx) => {
    const personId = await attachPerson(trx, consultation)
    return insert(trx, 'consultations', { ...rest, company: company || null, phone: phone || null, personId, source: 'staff' })
  })
  announceLeads()
  return noted
}

/**
 * Turns an enquiry into a consultation with its sender's data, and counts as a reply. One for each enquiry: the constraint decides, so a
 * repeated request returns the first one's consultation.
 */
export async function convertToConsultation(contactId: string): Promise<{ consultation: Row<'consultations'>; isNew: boolean }> {
  const converted = await transaction(async (trx) => {
    const contact = await trx.selectFrom('contacts').selectAll().where('id', '=', contactId).executeTakeFirst()
    if (!contact) return stop('notFound', 'Enquiry not found.')
    if (contact.quarantinedAt) return stop('conflict', 'This enquiry is in quarantine. Release it first.', { code: 'quarantined' })
    const { personId, name, email, company, message } = contact
    const made = await trx
      .insertInto('consultations')
      .values({ id: newId(), personId, contactId, source: 'contact', name, email, company, projectDescription: message })
      .onConflict((conflict) => conflict.constraint('consultations_contact_key').doNothing())
      .returningAll()
      .executeTakeFirst()
    if (made)
      await trx
        .updateTable('contacts')
        .set({ answeredAt: sql`coalesce(answered_at, now())` })
        .where('id', '=', contactId)
        .execute()
    return made
  })
  if (converted) {
    announceLeads()
    return { consultation: converted, isNew: true }
  }
  const first = await db.selectFrom('consultations').selectAll().where('contactId', '=', contactId).executeTakeFirstOrThrow()
  return { consultation: first, isNew: false }
}

async function attachPerson(trx: Trx, { email, name }: NewConsultation): Promise<string> {
  const person = await trx
    .insertInto('people')
    .values({ id: newId(), email, name })
    .onConflict((conflict) => conflict.column('email').doUpdateSet({ updatedAt: new Date() }))
    .returning('id')
    .executeTakeFirstOrThrow()
  return person.id
}
