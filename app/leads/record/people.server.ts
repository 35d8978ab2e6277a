import { sql } from 'kysely'
import { z } from 'zod'
import type { LeadPerson } from '#app/leads/lead/new-lead.ts'
import { db } from '#app/platform/database/db.server.ts'
import { queryRows } from '#app/platform/database/sql.server.ts'
import { matching } from '#app/platform/database/search-words.server.ts'

const SHOWN = 8
const LEADS_EACH = 3
/** Matches that are read: enough for a handful of people, also where a word is common. */
const READ = 200

const personRow = {
  id: z.string(),
  name: z.string(),
  email: z.string(),
  company: z.string().nullable(),
  leads: z.array(z.object({ reference: z.string(), problem: z.string(), createdAt: z.string() })),
}

/** People by the words of their leads; with an address, the person who has it, also where it was merged into theirs. */
export async function findPeople({ q, email }: { q?: string | undefined; email?: string | undefined }): Promise<LeadPerson[]> {
  const wanted = email
    ? sql`SELECT coalesce(merged_into, id) AS id FROM people WHERE email = ${email}`
    : sql`SELECT person_id AS id FROM (
        SELECT person_id, created_at FROM contacts
        WHERE quarantined_at IS NULL AND deleted_at IS NULL AND ${sql.join(q ? matching(q) : [sql`false`], sql` AND `)} LIMIT ${READ}) AS found
      GROUP BY 1 ORDER BY max(created_at) DESC LIMIT ${SHOWN}`
  const found = await queryRows(db, { id: z.string() }, wanted)
  return readPeople(found.map(({ id }) => id))
}

/** People in this order, each with the latest of their leads. */
export async function readPeople(ids: readonly string[]): Promise<LeadPerson[]> {
  if (ids.length === 0) return []
  return queryRows(
    db,
    personRow,
    sql`SELECT person.id, person.name, coalesce(person.email::text, '') AS email, latest.leads, latest.company
      FROM unnest(${ids}::uuid[]) WITH ORDINALITY AS wanted (id, place) JOIN people AS person ON person.id = wanted.id
      CROSS JOIN LATERAL (
        SELECT coalesce(jsonb_agg(jsonb_build_object('reference', reference, 'problem', problem, 'createdAt', created_at) ORDER BY created_at DESC), '[]') AS leads,
          (array_agg(company ORDER BY created_at DESC) FILTER (WHERE company IS NOT NULL))[1] AS company
        FROM (SELECT * FROM contacts WHERE person_id = person.id AND quarantined_at IS NULL AND deleted_at IS NULL
          ORDER BY created_at DESC LIMIT ${LEADS_EACH}) AS lead) AS latest
      ORDER BY wanted.place`,
  )
}
