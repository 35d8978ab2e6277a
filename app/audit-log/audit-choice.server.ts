import { type RawBuilder, sql } from 'kysely'
import { directory } from '#app/users/directory.server.ts'
import type { AuditChoice } from './audit-log.ts'

/** People whom a part of a name may mean. */
const MOST_PEOPLE = 200

/** Which events are meant. Days are whole, in UTC, and the last one is part of them. */
export async function chosen({ action, person, from, to }: AuditChoice): Promise<RawBuilder<unknown>> {
  const conditions = [
    action && sql`action = ${action}`,
    from && sql`created_at >= ${`${from}T00:00:00Z`}::timestamptz`,
    to && sql`created_at < ${`${to}T00:00:00Z`}::timestamptz + interval '1 day'`,
    person && (await about(person)),
  ].filter((condition) => typeof condition === 'object')
  return conditions.length > 0 ? sql.join(conditions, sql` AND `) : sql`true`
}

/** What someone did, and what was done to them. */
async function about(person: string): Promise<RawBuilder<unknown>> {
  const isId = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(person)
  const ids = isId ? [person] : (await directory.listUsers({ search: person, limit: MOST_PEOPLE })).users.map(({ id }) => id)
  if (ids.length === 0) return sql`false`
  const list = sql.join(ids.map((id) => sql`${id}::uuid`))
  return sql`(actor_id IN (${list}) OR subject_id IN (${list}))`
}
