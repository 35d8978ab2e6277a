import { sql } from 'kysely'
import { z } from 'zod/mini'
import { accessRequest, type Decision, type PendingRequest } from './access-request.ts'
import { type Actor, audit, by } from '#app/auth/users/audit.server.ts'
import { enqueueEmail } from '#app/mail/outbox.server.ts'
import { type Database, db, transaction, type Trx } from '#app/platform/database/db.server.ts'
import { queryRows } from '#app/platform/database/sql.server.ts'
import { notify } from '#app/account/notifications/notification.server.ts'
import { areas } from '#app/content/areas.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { directory } from '#app/auth/directory/directory.server.ts'
import { refuse } from '#app/auth/protocol/refusal.ts'
import { currentAccounts, lockAccount } from '#app/auth/users/account.server.ts'
import { roleOf } from '#app/auth/users/role.ts'
import { accessDeclinedEmail, accessGrantedEmail } from './access-decision.email.tsx'

const MOST = 100
/** An undecided request expires after this time. */
const WAITS_DAYS = 90

const askedRequest = { id: z.string(), userId: z.string(), detail: z.unknown(), createdAt: z.date() }
type Asked = z.infer<z.ZodMiniObject<typeof askedRequest>>

/** Pending requests, the oldest first, without requesters who are staff by now. */
export async function listPending(): Promise<PendingRequest[]> {
  const pending = await Promise.all((await readPending(db)).map(describe))
  return pending.filter((request) => request !== undefined)
}

/** Decides a request once and emails the requester. A grant makes a staff account. */
export async function decide(requestId: string, decision: Decision, actor: Actor): Promise<void> {
  const [asked] = await readPending(db, requestId)
  if (!asked) stop('notFound', 'This request was already decided or doesn’t exist.')
  const user = (await directory.findUser(asked.userId)) ?? stop('notFound', 'The requester’s account no longer exists.')
  if (decision === 'grant' && !user.isProven) refuse('address_not_proven')
  const { area } = z.parse(accessRequest, asked.detail)
  await transaction(async (trx) => {
    // Two simultaneous decisions run in turn, and the second finds the first.
    if (!(await lockAccount(trx, user.id))) stop('notFound', 'The requester’s account no longer exists.')
    if ((await readPending(trx, requestId)).length === 0) stop('conflict', 'This request was just decided.')
    await audit(trx, decision === 'grant' ? 'access_granted' : 'access_declined', { ...by(actor), subjectId: user.id, detail: { area } })
    await notify(trx, {
      kind: 'access_decision',
      title: decision === 'grant' ? 'Staff access granted' : 'Staff access declined',
      body: areas[area].title,
      link: areas[area].page,
      dedupeKey: `access_decision:${requestId}`,
      to: { userIds: [user.id] },
    })
    if (user.email) await enqueueEmail(trx, (decision === 'grant' ? accessGrantedEmail : accessDeclinedEmail)(user.email, { area }))
    // In the same transaction: a request that is decided has its role.
    const held = await currentAccounts(trx).select('role').where('id', '=', user.id).executeTakeFirstOrThrow()
    if (decision === 'grant' && roleOf(held) === 'customer') await directory.changeRoleIn(trx, user.id, 'staff', actor)
  })
}

/** The latest undecided request of each person for each area. */
async function readPending(connection: Database | Trx, id?: string): Promise<Asked[]> {
  return queryRows(
    connection,
    askedRequest,
    sql`
    SELECT id, actor_id AS user_id, detail, created_at FROM audit_events AS asked
    WHERE action = 'access_requested' AND actor_id IS NOT NULL AND created_at > now() - make_interval(days => ${WAITS_DAYS}::int)
      AND ${id ? sql`id = ${id}` : sql`true`}
      AND NOT EXISTS (
        SELECT FROM audit_events AS later
        WHERE later.subject_id = asked.actor_id AND later.detail->>'area' = asked.detail->>'area' AND later.created_at > asked.created_at
          AND later.action IN ('access_requested', 'access_granted', 'access_declined'))
    ORDER BY created_at LIMIT ${MOST}`,
  )
}

async function describe({ id, userId, detail, createdAt }: Asked): Promise<PendingRequest | undefined> {
  const user = await directory.findUser(userId)
  if (!user || user.role !== 'customer') return undefined
  const { area } = z.parse(accessRequest, detail)
  return { id, userId, email: user.email, name: user.name, area, requestedAt: createdAt.toISOString(), isProven: user.isProven }
}
