import { sql } from 'kysely'
import { z } from 'zod'
import { type Actor, audit, by } from '#app/auth/users/audit.server.ts'
import { findOrganizationId } from '#app/organizations/organization/organization.server.ts'
import { db, transaction } from '#app/platform/database/db.server.ts'
import { queryRows } from '#app/platform/database/sql.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { organizationPeople, type PersonOrganization } from './organization-people.ts'

const row = { id: z.string(), name: z.string(), email: z.string().nullable(), leads: z.unknown() }

/** The people of an organization with their leads, at most 200 of them. `butId` is left out. */
export async function listOrganizationPeople(organizationId: string, butId?: string) {
  const rows = await queryRows(
    db,
    row,
    sql`
    SELECT person.id, person.name, person.email, coalesce((
      SELECT json_agg(json_build_object('reference', lead.reference, 'problem', lead.problem, 'stage', lead.stage,
        'createdAt', to_char(lead.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) ORDER BY lead.created_at DESC)
      FROM (SELECT contact.reference, contact.problem, stage.name AS stage, contact.created_at FROM contacts AS contact
        JOIN leads ON leads.contact_id = contact.id JOIN lead_stages AS stage ON stage.id = leads.stage_id
        WHERE contact.person_id = person.id AND contact.quarantined_at IS NULL AND contact.deleted_at IS NULL
        ORDER BY contact.created_at DESC LIMIT 20) AS lead), '[]') AS leads
    FROM people AS person
    WHERE person.organization_id = ${organizationId} AND person.merged_into IS NULL AND ${butId ? sql`person.id <> ${butId}` : sql`true`}
    ORDER BY person.name, person.id LIMIT 200`,
  )
  return organizationPeople.parse(rows)
}

/** The organization of a lead's person, with its other people. */
export async function findPersonOrganization(contactId: string): Promise<PersonOrganization> {
  const found = await db
    .selectFrom('contacts')
    .innerJoin('people', 'people.id', 'contacts.personId')
    .leftJoin('organizations', 'organizations.id', 'people.organizationId')
    .select(['people.id as personId', 'organizations.id', 'organizations.reference', 'organizations.name'])
    .where('contacts.id', '=', contactId)
    .executeTakeFirst()
  if (!found) return stop('notFound', 'There is no such lead.')
  const { personId, id, reference, name } = found
  if (!id) return { organization: null, others: [] }
  return { organization: { id, reference, name: name || 'Personal' }, others: await listOrganizationPeople(id, personId) }
}

/** Says by hand to which organization the person of a lead belongs. */
export async function setPersonOrganization(contactId: string, asked: string | null, actor: Actor): Promise<void> {
  const organizationId = asked === null ? null : await findOrganizationId(asked)
  const sentence = 'There is no such organization'
  if (organizationId === undefined) stop('unprocessable', `${sentence}.`, { errors: { organization: sentence } })
  await transaction(async (trx) => {
    const person = await trx
      .updateTable('people')
      .set({ organizationId })
      .where('id', '=', (of) => of.selectFrom('contacts').select('personId').where('id', '=', contactId))
      .returning('id')
      .executeTakeFirst()
    if (!person) stop('notFound', 'There is no such lead.')
    await audit(trx, 'person_organization_set', { ...by(actor), subjectId: contactId, detail: { organization: organizationId } })
  })
}
