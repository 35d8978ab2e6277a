import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import { type Actor, audit, by } from '#app/auth/users/audit.server.ts'
import type { PossibleDuplicate, TwoPeople } from '#app/leads/lead/duplicate.ts'
import { announceLeads } from '#app/leads/lead/lead-signal.server.ts'
import { db, transaction, type Trx } from '#app/platform/database/db.server.ts'
import { queryRows } from '#app/platform/database/sql.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { readPeople } from './people.server.ts'

const SHOWN = 50
/** Shorter numbers are extensions, or no numbers. */
export const FEWEST_DIGITS = 7
/** A number or a name that so many people share belongs to an office, or is none. */
const MOST_ALIKE = 6

type Staff = Actor & { id: string }

// As in their indexes.
const address = sql.raw(String.raw`lower(regexp_replace(email::text, '\+[^@]*', ''))`)
/** What two ways of writing a phone number share. */
export const phoneDigits = sql.raw(String.raw`right(regexp_replace(phone, '\D', '', 'g'), 9)`)
const listed = sql`quarantined_at IS NULL AND deleted_at IS NULL`

/** What can be the same, of one person or of all. */
function keys(personId: string | undefined): RawBuilder<unknown> {
  const mine = (column: string) => (personId ? sql`${sql.ref(column)} = ${personId}::uuid` : sql`true`)
  return sql`
    SELECT id AS person_id, 'address' AS kind, ${address} AS value FROM people WHERE email IS NOT NULL AND merged_into IS NULL AND ${mine('id')}
    UNION SELECT contacts.person_id, 'phone', ${phoneDigits} FROM leads JOIN contacts ON contacts.id = leads.contact_id
      WHERE is_listed AND phone IS NOT NULL AND length(${phoneDigits}) >= ${FEWEST_DIGITS} AND ${mine('contacts.person_id')}
    UNION SELECT person_id, 'name', lower(name) || chr(10) || lower(company) FROM contacts
      WHERE company IS NOT NULL AND ${listed} AND ${mine('person_id')}`
}

/** The people with the key of another one: each kind has its index. */
const alike = sql`
  SELECT id AS person_id FROM people WHERE key.kind = 'address' AND merged_into IS NULL AND ${address} = key.value
  UNION SELECT contacts.person_id FROM leads JOIN contacts ON contacts.id = leads.contact_id
    WHERE key.kind = 'phone' AND is_listed AND phone IS NOT NULL AND ${phoneDigits} = key.value
  UNION SELECT person_id FROM contacts WHERE key.kind = 'name' AND company IS NOT NULL AND ${listed}
    AND lower(name) = split_part(key.value, chr(10), 1) AND lower(company) = split_part(key.value, chr(10), 2)`

const pairRow = { oneId: z.string(), otherId: z.string(), because: z.array(z.enum(['address', 'phone', 'name'])) }

/** People who may be the same, the latest first: those of one lead, or all. */
export async function listDuplicates(contactId?: string): Promise<{ pairs: PossibleDuplicate[]; hasMore: boolean }> {
  const person = contactId && (await db.selectFrom('contacts').select('personId').where('id', '=', contactId).executeTakeFirst())?.personId
  const pairs = person
    ? sql`SELECT key.person_id AS a, other.person_id AS b, kind FROM key CROSS JOIN LATERAL (
          SELECT person_id, count(*) OVER () AS sharing FROM (${alike} LIMIT ${MOST_ALIKE + 1}) AS found) AS other
        WHERE other.person_id <> key.person_id AND other.sharing <= ${MOST_ALIKE}`
    : sql`SELECT a, b, kind FROM (SELECT kind, array_agg(person_id) AS ids FROM key GROUP BY kind, value HAVING count(*) BETWEEN 2 AND ${MOST_ALIKE}) AS shared,
        unnest(ids) AS a, unnest(ids) AS b WHERE a < b`
  const rows = await queryRows(
    db,
    pairRow,
    sql`WITH key AS (${keys(person || undefined)}), pair AS (${pairs})
      SELECT one.id AS one_id, other.id AS other_id, array_agg(DISTINCT kind ORDER BY kind) AS because
      FROM pair JOIN people AS one ON one.id IN (a, b) JOIN people AS other ON other.id IN (a, b) AND (one.created_at, one.id) < (other.created_at, other.id)
      WHERE NOT EXISTS (SELECT FROM different_people WHERE one_id = least(a, b) AND other_id = greatest(a, b))
        AND ${hasLead('one.id')} AND ${hasLead('other.id')}
      GROUP BY one.id, other.id, other.created_at ORDER BY other.created_at DESC, one.id LIMIT ${SHOWN + 1}`,
  )
  const shown = rows.slice(0, SHOWN)
  const people = new Map(
    (await readPeople([...new Set(shown.flatMap(({ oneId, otherId }) => [oneId, otherId]))])).map((each) => [each.id, each]),
  )
  const found = shown.flatMap(({ oneId, otherId, because }) => {
    const [one, other] = [people.get(oneId), people.get(otherId)]
    return one && other ? [{ one, other, because }] : []
  })
  return { pairs: found, hasMore: rows.length > SHOWN }
}

const hasLead = (column: string) => sql`EXISTS (SELECT FROM contacts WHERE person_id = ${sql.ref(column)} AND ${listed})`

/** Remembers that two people are not the same, or forgets it again. */
export async function tellApart({ oneId, otherId }: TwoPeople, areDifferent: boolean, staff: Staff): Promise<void> {
  if (oneId === otherId) stop('unprocessable', 'Choose two people.', { code: 'same_person' })
  await transaction(async (trx) => {
    await requirePeople(trx, [oneId, otherId])
    const [first = oneId, second = otherId] = [oneId.toLowerCase(), otherId.toLowerCase()].toSorted()
    const pair = { oneId: first, otherId: second }
    if (areDifferent) {
      await trx
        .insertInto('differentPeople')
        .values({ ...pair, actorId: staff.id })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    } else await trx.deleteFrom('differentPeople').where('oneId', '=', first).where('otherId', '=', second).execute()
    await audit(trx, areDifferent ? 'people_told_apart' : 'people_comparable', {
      ...by(staff),
      subjectId: first,
      detail: { other: second },
    })
  })
  announceLeads()
}

async function requirePeople(trx: Trx, ids: string[]): Promise<void> {
  const found = await trx.selectFrom('people').select('id').where('id', 'in', ids).execute()
  if (found.length < ids.length) stop('notFound', 'One of these people is gone.')
}
