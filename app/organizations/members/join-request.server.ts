import { sql } from 'kysely'
import { z } from 'zod'
import { nameOf } from '#app/auth/users/user-name.ts'
import { currentAccounts, provenAddress } from '#app/auth/users/account.server.ts'
import { type Actor, audit, by } from '#app/auth/users/audit.server.ts'
import { notificationJob } from '#app/account/notifications/notification.server.ts'
import { type Database, db, newId, transaction, type Trx } from '#app/platform/database/db.server.ts'
import { now, queryRows } from '#app/platform/database/sql.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { enqueue } from '#app/platform/jobs.server.ts'
import { addMember, listAdminIds } from '#app/organizations/members/member.server.ts'
import { lockOrganization } from '#app/organizations/organization/organization.server.ts'
import type { MemberRole } from '#app/organizations/organization/organization.ts'
import { ASK_AGAIN_DAYS, type JoinRequest, type Offer } from './join-request.ts'

const LINK = '/account/organization'

const offerRow = { id: z.string(), name: z.string(), isAsked: z.boolean(), declinedAt: z.date().nullable() }

/** The organizations that a person with this proven address may ask to join. Until they are members, they see only the name. */
export async function listOffers(userId: string, connection: Database | Trx = db): Promise<Offer[]> {
  const email = await provenAddress(userId, connection)
  if (!email) return []
  const rows = await queryRows(
    connection,
    offerRow,
    sql`
    SELECT organization.id, name,
      EXISTS (SELECT FROM organization_join_requests WHERE organization_id = organization.id AND user_id = ${userId} AND settled_at IS NULL) AS is_asked,
      (SELECT max(settled_at) FROM organization_join_requests
        WHERE organization_id = organization.id AND user_id = ${userId} AND outcome = 'declined') AS declined_at
    FROM organizations AS organization JOIN organization_domains AS domain ON domain.organization_id = organization.id
    WHERE domain.domain = ${email.slice(email.lastIndexOf('@') + 1).toLowerCase()} AND proven_at IS NOT NULL AND removed_at IS NULL
      AND state = 'active' AND merged_into IS NULL
      AND NOT EXISTS (SELECT FROM organization_members WHERE organization_id = organization.id AND user_id = ${userId})`,
  )
  return rows.map(({ declinedAt, ...row }) => ({ ...row, mayAskFrom: mayAskFrom(declinedAt) }))
}

function mayAskFrom(declinedAt: Date | null): string | null {
  const from = declinedAt && new Date(declinedAt.getTime() + ASK_AGAIN_DAYS * 86_400_000)
  return from && from > new Date() ? from.toISOString() : null
}

/** Asks the admins. Whoever asks twice has one request. */
export async function askToJoin(organizationId: string, person: Actor & { id: string; email: string }): Promise<void> {
  await transaction(async (trx) => {
    await lockOrganization(trx, organizationId)
    const offered = (await listOffers(person.id, trx)).find(({ id }) => id === organizationId)
    if (!offered) stop('notFound', 'There is no organization that you can ask to join.')
    if (offered.isAsked) return
    if (offered.mayAskFrom) {
      const sentence = `${offered.name} declined your request. You can ask again from ${offered.mayAskFrom.slice(0, 10)}.`
      stop('conflict', sentence, { code: 'declined_before' })
    }
    const id = newId()
    await trx.insertInto('organizationJoinRequests').values({ id, organizationId, userId: person.id }).execute()
    await audit(trx, 'organization_join_requested', { ...by(person), subjectId: organizationId, detail: { request: id } })
    const notice = {
      kind: 'organization' as const,
      title: `${person.email} asks to join ${offered.name}`.slice(0, 200),
      link: LINK,
      subjectId: id,
      dedupeKey: `organization_asked:${id}`,
      to: { userIds: await listAdminIds(trx, organizationId) },
      by: person.id,
    }
    await enqueue(trx, notificationJob(notice))
  })
}

/** Open requests of accounts that still exist, the oldest first. */
export async function listJoinRequests(organizationId: string): Promise<JoinRequest[]> {
  const rows = await db
    .selectFrom('organizationJoinRequests as request')
    .innerJoin(currentAccounts().select(['id', 'email', 'userMetadata']).as('account'), 'account.id', 'request.userId')
    .select(['request.id', 'account.email', 'account.userMetadata', 'request.createdAt'])
    .where('organizationId', '=', organizationId)
    .where('settledAt', 'is', null)
    .orderBy('request.createdAt')
    .limit(500)
    .execute()
  return rows.map(({ id, email, userMetadata, createdAt }) => ({
    id,
    name: nameOf(userMetadata) ?? null,
    email: email ?? '',
    createdAt: createdAt.toISOString(),
  }))
}

export async function acceptJoinRequest(organizationId: string, id: string, role: MemberRole, actor: Actor): Promise<void> {
  await transaction(async (trx) => {
    const { name, userId } = await settle(trx, organizationId, id, 'accepted')
    await addMember(trx, { organizationId, userId, role }, actor)
    await tellPerson(trx, { id, userId, title: `You are now a member of ${name}` })
  })
}

export async function declineJoinRequest(organizationId: string, id: string, actor: Actor): Promise<void> {
  await transaction(async (trx) => {
    const { name, userId } = await settle(trx, organizationId, id, 'declined')
    await audit(trx, 'organization_join_declined', { ...by(actor), subjectId: organizationId, detail: { request: id } })
    await tellPerson(trx, { id, userId, title: `${name} declined your request to join` })
  })
}

async function settle(trx: Trx, organizationId: string, id: string, outcome: 'accepted' | 'declined') {
  const organization = await lockOrganization(trx, organizationId)
  if (!organization || organization.state === 'closed') stop('notFound', 'There is no such organization.')
  const settled = await trx
    .updateTable('organizationJoinRequests')
    .set({ settledAt: now, outcome })
    .where('id', '=', id)
    .where('organizationId', '=', organizationId)
    .where('settledAt', 'is', null)
    .where('userId', 'in', currentAccounts(trx).select('id'))
    .returning('userId')
    .executeTakeFirst()
  if (!settled) stop('notFound', 'This request was answered, or the account no longer exists.')
  return { name: organization.name, userId: settled.userId }
}

async function tellPerson(trx: Trx, { id, userId, title }: { id: string; userId: string; title: string }): Promise<void> {
  const notice = { kind: 'organization' as const, title: title.slice(0, 200), link: LINK, subjectId: id }
  await enqueue(trx, notificationJob({ ...notice, dedupeKey: `organization_answered:${id}`, to: { userIds: [userId] } }))
}
