import { z } from 'zod/mini'
import { audit } from '#app/auth/users/audit.server.ts'
import { businessAddress, lockAccount, ownerEmail } from '#app/auth/users/account.server.ts'
import { enqueueEmail } from '#app/mail/outbox.server.ts'
import { type Database, db, transaction, type Trx } from '#app/platform/database/db.server.ts'
import { consume, type Limit } from '#app/platform/guard/limits.server.ts'
import { notify } from '#app/account/notifications/notification.server.ts'
import { type AreaName, areas } from '#app/content/areas.ts'
import { accessRequestEmail } from './access-request.email.tsx'
import { accessRequest, type SentRequest } from './access-request.ts'
import type { CurrentUser } from '#app/account/session/current-user.ts'

/** The limit of requests per account, counted with or without an email. */
const presses: Limit = { name: 'access-request', points: 20, seconds: 3600 }

/** The lifetime of a request: a repeat within it is the same request and sends no second email. */
const STANDS_DAYS = 7

const STANDS_MS = STANDS_DAYS * 24 * 3_600_000

/** Emails the owner about the request and records it in the audit log. It grants no access. */
export async function requestAccess(currentUser: CurrentUser, area: AreaName): Promise<SentRequest> {
  await consume(presses, currentUser.id)
  return transaction(async (trx) => {
    // Requests of one account run in turn, so two simultaneous ones send one email.
    await lockAccount(trx, currentUser.id)
    const pending = (await listAccessRequests(currentUser.id, trx)).find((request) => request.area === area)
    if (pending) return pending
    const { owner } = await trx.selectNoFrom(ownerEmail().as('owner')).executeTakeFirstOrThrow()
    await audit(trx, 'access_requested', { actorId: currentUser.id, subjectId: currentUser.id, detail: { area } })
    await enqueueEmail(
      trx,
      accessRequestEmail(businessAddress(owner), { area, email: currentUser.email, firstName: currentUser.firstName ?? null }),
    )
    await notify(trx, {
      kind: 'access_request',
      title: 'Staff access requested',
      body: `${currentUser.email} · ${areas[area].title}`.slice(0, 300),
      link: '/admin/users?tab=requests',
      subjectId: currentUser.id,
      dedupeKey: `access_request:${currentUser.id}:${area}:${new Date().toISOString()}`,
      to: { roles: ['owner'] },
      by: currentUser.id,
    })
    return { area, requestedAt: new Date().toISOString() }
  })
}

/** The person's recent requests, newest first. */
export async function listAccessRequests(currentUserId: string, connection: Database | Trx = db): Promise<SentRequest[]> {
  const rows = await connection
    .selectFrom('auditEvents')
    .select(['detail', 'createdAt'])
    .where('actorId', '=', currentUserId)
    .where('action', '=', 'access_requested')
    .where('createdAt', '>', new Date(Date.now() - STANDS_MS))
    .orderBy('createdAt', 'desc')
    .execute()
  return rows.map(({ detail, createdAt }) => ({ area: z.parse(accessRequest, detail).area, requestedAt: createdAt.toISOString() }))
}
