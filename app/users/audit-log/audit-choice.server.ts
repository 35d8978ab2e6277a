import { type RawBuilder, sql } from 'kysely'
import { directory } from '#app/auth/directory/directory.server.ts'
import { UUID } from '#app/platform/text/uuid.ts'
import type { AuditChoice } from './audit-log.ts'

/** The most people that a part of a name may match. */
const MOST_PEOPLE = 200

/** The condition of the filters. Days are whole days in UTC, including the last one. */
export async function filteredEvents({ action, person, from, to }: AuditChoice): Promise<RawBuilder<unknown>> {
  const conditions = [
    action && sql`action = ${action}`,
    from && sql`created_at >= ${`${from}T00:00:00Z`}::timestamptz`,
    to && sql`created_at < ${`${to}T00:00:00Z`}::timestamptz + interval '1 day'`,
    person && (await about(person)),
  ].filter((condition) => typeof condition === 'object')
  return conditions.length > 0 ? sql.join(conditions, sql` AND `) : sql`true`
}

/** Matches events by and about a person. */
async function about(person: string): Promise<RawBuilder<unknown>> {
  const isId = UUID.test(person)
  const ids = isId ? [person] : (await directory.listUsers({ search: person, limit: MOST_PEOPLE })).users.map(({ id }) => id)
  if (ids.length === 0) return sql`false`
  const list = sql.join(ids.map((id) => sql`${id}::uuid`))
  return sql`(actor_id IN (${list}) OR subject_id IN (${list}))`
}
