import { sql } from 'kysely'
import { z } from 'zod'
import { textField } from '#app/auth/http/body.server.ts'
import { refuse } from '#app/auth/protocol/refusal.ts'
import { db } from '#app/platform/database/db.server.ts'
import { condition, queryRows } from '#app/platform/database/sql.server.ts'
import type { Api } from '#app/platform/http/http.server.ts'
import { linkOf, type Paging, readPaging } from './paging.server.ts'

const entry = z.object({
  id: z.string(),
  payload: z.looseObject({ action: z.string(), actor_id: z.string(), actor_username: z.string(), log_type: z.string() }),
  created_at: z.string(),
  ip_address: z.string(),
})

/** The audit log in the protocol's shape, newest first, for admin programs. */
export const adminAuditApi: Api = async (app) => {
  app.get('/admin/audit', {
    schema: {
      summary: 'List the audit log; `query` is `author:…`, `action:…` or `type:…`',
      tags: ['auth-admin'],
      querystring: z.object({ page: textField, per_page: textField, query: textField }),
      response: { 200: z.array(entry) },
    },
    async handler({ query }, reply) {
      const paging = readPaging(query)
      const { total, entries } = await findEntries(paging, readFilter(query.query))
      reply.headers({ 'x-total-count': total, link: linkOf(paging, total, { path: '/admin/audit', query: query.query }) })
      return entries
    },
  })
}

const columns = {
  author: sql`concat_ws(' ', actor_email, actor_name)`,
  action: sql`action`,
  type: sql`log_type`,
}

function readFilter(query: string | undefined) {
  if (!query) return condition`true`
  const [, scope, value = ''] = /^(author|action|type):(.*)$/s.exec(query) ?? []
  if (scope !== 'author' && scope !== 'action' && scope !== 'type') {
    refuse('validation_failed', { sentence: `Invalid query scope: ${query.slice(0, 100)}` })
  }
  return condition`${columns[scope]} ILIKE ${`%${value.replaceAll(/[\\%_]/g, '\\$&')}%`}`
}

/** The protocol's log type of an action. Our own actions are `user`. */
const logType = sql`CASE
  WHEN action IN ('login', 'logout', 'invite_accepted') THEN 'account'
  WHEN action IN ('user_signedup', 'user_invited', 'user_deleted') THEN 'team'
  WHEN action IN ('token_revoked', 'token_refreshed') THEN 'token'
  WHEN action IN ('factor_in_progress', 'factor_unenrolled', 'challenge_created', 'verification_attempted', 'factor_deleted', 'factor_updated') THEN 'factor'
  ELSE 'user' END`

const foundEvent = {
  id: z.string(),
  action: z.string(),
  actorId: z.nullable(z.string()),
  subjectId: z.nullable(z.string()),
  actorEmail: z.nullable(z.string()),
  actorName: z.nullable(z.string()),
  logType: z.string(),
  address: z.nullable(z.string()),
  detail: z.record(z.string(), z.unknown()),
  createdAt: z.date(),
}
type FoundEvent = z.infer<z.ZodObject<typeof foundEvent>>

async function findEntries({ page, perPage }: Paging, isMeant: ReturnType<typeof readFilter>) {
  const events = sql`(
    SELECT audit_events.*, users.email::text AS actor_email, users.user_metadata->>'full_name' AS actor_name, ${logType} AS log_type
    FROM audit_events LEFT JOIN users ON users.id = audit_events.actor_id) AS events`
  const [counted, rows] = await Promise.all([
    queryRows(db, { total: z.number() }, sql`SELECT count(*)::int AS total FROM ${events} WHERE ${isMeant}`),
    queryRows(
      db,
      foundEvent,
      sql`
      SELECT id, action, actor_id, subject_id, actor_email, actor_name, log_type, address, detail, created_at FROM ${events}
      WHERE ${isMeant} ORDER BY created_at DESC, id DESC LIMIT ${perPage} OFFSET ${(page - 1) * perPage}`,
    ),
  ])
  return { total: counted[0]?.total ?? 0, entries: rows.map(toEntry) }
}

function toEntry({ id, action, actorId, subjectId, actorEmail, actorName, logType: type, address, detail, createdAt }: FoundEvent) {
  const traits = { ...detail, ...(subjectId && { user_id: subjectId }) }
  return {
    id,
    payload: {
      action,
      actor_id: actorId ?? '00000000-0000-0000-0000-000000000000',
      actor_username: actorEmail ?? '',
      actor_via_sso: false,
      ...(actorName && { actor_name: actorName }),
      log_type: type,
      ...(Object.keys(traits).length > 0 && { traits }),
    },
    created_at: createdAt.toISOString(),
    ip_address: address ?? '',
  }
}
