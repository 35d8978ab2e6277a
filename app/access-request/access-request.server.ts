import { z } from 'zod/mini'
import { audit } from '#app/identity/audit.server.ts'
import { businessAddress, ownerEmail } from '#app/identity/business-address.server.ts'
import { lockPerson } from '#app/identity/person.server.ts'
import { post } from '#app/mail/outbox.server.ts'
import { type Database, db, transaction, type Trx } from '#app/platform/db.server.ts'
import { consume, type Limit } from '#app/platform/limits.server.ts'
import type { AreaName } from '#app/site/content/areas.ts'
import { accessRequestLetter } from './access-request.email.tsx'
import { accessRequest, type SentRequest } from './access-request.ts'
import type { Viewer } from '#app/account/viewer.ts'

/** How often one account may press, counted whether or not a letter leaves. */
const presses: Limit = { name: 'access-request', points: 20, seconds: 3600 }

/** For so long a request stands: asked again, it is the same one, and the owner gets no second letter. */
const STANDS_DAYS = 7

const STANDS_MS = STANDS_DAYS * 24 * 3_600_000

/** Tells the owner by letter who asks for which part of the workspace, and keeps it in the audit log. It gives nobody anything. */
export async function requestAccess(viewer: Viewer, area: AreaName): Promise<SentRequest> {
  await consume(presses, viewer.id)
  return transaction(async (trx) => {
    // Presses of one account take turns, so that two at the same moment send one letter.
    await lockPerson(trx, viewer.id)
    const standing = (await listRequests(viewer.id, trx)).find((request) => request.area === area)
    if (standing) return standing
    const { owner } = await trx.selectNoFrom(ownerEmail().as('owner')).executeTakeFirstOrThrow()
    await audit(trx, 'access_requested', { actorId: viewer.id, subjectId: viewer.id, detail: { area } })
    await post(trx, accessRequestLetter(businessAddress(owner), { area, email: viewer.email, firstName: viewer.firstName ?? null }))
    return { area, requestedAt: new Date().toISOString() }
  })
}

/** What this person has asked for lately, newest first. */
export async function listRequests(viewerId: string, connection: Database | Trx = db): Promise<SentRequest[]> {
  const rows = await connection
    .selectFrom('auditEvents')
    .select(['detail', 'createdAt'])
    .where('actorId', '=', viewerId)
    .where('action', '=', 'access_requested')
    .where('createdAt', '>', new Date(Date.now() - STANDS_MS))
    .orderBy('createdAt', 'desc')
    .execute()
  return rows.map(({ detail, createdAt }) => ({ area: z.parse(accessRequest, detail).area, requestedAt: createdAt.toISOString() }))
}
