import { sql } from 'kysely'
import { z } from 'zod'
import { queryRows } from '#app/platform/database/sql.server.ts'
import { db } from '#app/platform/database/db.server.ts'
import { readListCursor, writeListCursor } from '#app/leads/list/cursor.server.ts'
import { factsOf, namesIn } from './audit-facts.server.ts'
import { filteredEvents } from './audit-choice.server.ts'
import { type AuditEvent, auditEvent, type AuditPage, type AuditQuery } from './audit-log.ts'

const ORDER = '-createdAt'
const MOST_ACTIONS = 200

const foundEvent = {
  id: z.string(),
  action: z.string(),
  actorId: z.nullable(z.string()),
  subjectId: z.nullable(z.string()),
  address: z.nullable(z.string()),
  detail: auditEvent.shape.detail,
  createdAt: z.date(),
  /** The time, in the database's precision. */
  key: z.string(),
}
type FoundEvent = z.infer<z.ZodObject<typeof foundEvent>>

export async function listEvents({ cursor, limit, ...choice }: AuditQuery): Promise<AuditPage> {
  const place = readListCursor(ORDER, cursor, 'timestamptz')
  const after = place ? sql`(created_at, id) < (${place.key}::timestamptz, ${place.id}::uuid)` : sql`true`
  const rows = await queryRows(
    db,
    foundEvent,
    sql`
    SELECT id, action, actor_id, subject_id, address, detail, created_at,
      created_at::text AS key
    FROM audit_events WHERE ${await filteredEvents(choice)} AND ${after} ORDER BY created_at DESC, id DESC LIMIT ${limit + 1}`,
  )
  const last = rows.length > limit ? rows[limit - 1] : undefined
  return {
    events: await describe(rows.slice(0, limit)),
    actions: await listActions(),
    nextCursor: last ? writeListCursor(ORDER, { direction: 'after', key: last.key, id: last.id }) : null,
  }
}

/** The actions that occur. Skips from one name to the next along the index, because there are few names and many events. */
async function listActions(): Promise<string[]> {
  const rows = await queryRows(
    db,
    { action: z.string() },
    sql`
    WITH RECURSIVE known AS (
      (SELECT action FROM audit_events ORDER BY action LIMIT 1)
      UNION ALL
      SELECT (SELECT action FROM audit_events WHERE action > known.action ORDER BY action LIMIT 1) FROM known WHERE known.action IS NOT NULL
    ) SELECT action FROM known WHERE action IS NOT NULL LIMIT ${MOST_ACTIONS}`,
  )
  return rows.map(({ action }) => action)
}

async function describe(found: FoundEvent[]): Promise<AuditEvent[]> {
  const emails = await emailsOf(found.flatMap(({ actorId, subjectId }) => [actorId, subjectId]).filter((id) => id !== null))
  const names = await namesIn(found)
  const someone = (id: string | null) => (id ? { id, email: emails.get(id) ?? null, name: names.get(id) ?? null } : null)
  return found.map((event) => ({
    id: event.id,
    action: event.action,
    actor: someone(event.actorId),
    subject: someone(event.subjectId),
    address: event.address,
    detail: event.detail,
    facts: factsOf(event, names),
    createdAt: event.createdAt.toISOString(),
  }))
}

async function emailsOf(ids: string[]): Promise<Map<string, string | null>> {
  if (ids.length === 0) return new Map()
  // Also of accounts from before a switch to a hosted service, and back.
  const rows = await db
    .selectFrom('accounts')
    .select(['id', 'email'])
    .where('id', 'in', [...new Set(ids)])
    .execute()
  return new Map(rows.map(({ id, email }) => [id, email]))
}
