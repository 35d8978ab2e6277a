import { createHash, randomBytes } from 'node:crypto'
import { nameOf } from '#app/auth/users/user-name.ts'
import { type Actor, audit, by } from '#app/auth/users/audit.server.ts'
import { confirmsWithoutProof, currentAccounts } from '#app/auth/users/account.server.ts'
import type { CurrentUser } from '#app/account/session/current-user.ts'
import { notificationJob } from '#app/account/notifications/notification.server.ts'
import { enqueueEmail } from '#app/mail/outbox.server.ts'
import { db, newId, transaction, type Trx } from '#app/platform/database/db.server.ts'
import { now } from '#app/platform/database/sql.server.ts'
import { env } from '#app/platform/env.server.ts'
import { enqueue } from '#app/platform/jobs.server.ts'
import { consume, type Limit } from '#app/platform/guard/limits.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { lockOrganization } from '#app/organizations/organization/organization.server.ts'
import type { MemberRole } from '#app/organizations/organization/organization.ts'
import { organizationInvitationEmail } from './invitation.email.tsx'
import { addMember, joinPerson } from './member.server.ts'
import { INVITATION_DAYS, type OrganizationInvitation, type OwnInvitation } from './member.ts'

const DAY_MS = 86_400_000

/** Each invitation sends an email to an address that its sender chooses. */
const perOrganization: Limit = { name: 'organization-invitations', points: 100, seconds: 24 * 3600 }

/** Invites an address. A second invitation of it replaces the first, so the newest role and link count. */
export async function invite(
  organizationId: string,
  { email, role }: { email: string; role: MemberRole },
  inviter: Actor & { id: string },
): Promise<string> {
  await consume(perOrganization, organizationId)
  const token = randomBytes(32).toString('base64url')
  const inviterName = await nameOfAccount(inviter.id)
  return transaction(async (trx) => {
    const organization = await lockOpen(trx, organizationId)
    await refuseMember(trx, organizationId, email)
    await revokeOpen(trx, organizationId, email)
    const expiresAt = new Date(Date.now() + INVITATION_DAYS * DAY_MS)
    const row = { id: newId(), organizationId, email, role, tokenHash: hashOf(token), invitedBy: inviter.id, expiresAt }
    await trx.insertInto('organizationInvitations').values(row).execute()
    await audit(trx, 'organization_invited', { ...by(inviter), subjectId: organizationId, detail: { invitation: row.id, role } })
    const link = `${env.SITE_URL}/account/organization?invitation=${row.id}&token=${token}`
    const facts = { organization: organization.name, role, inviter: inviterName, link, until: expiresAt.toISOString() }
    await enqueueEmail(trx, organizationInvitationEmail(email, facts))
    return row.id
  })
}

/** Sends an open or expired invitation again, with a new link and seven more days. */
export async function inviteAgain(organizationId: string, id: string, inviter: Actor & { id: string }): Promise<string> {
  const known = await findOpen(organizationId, id)
  return invite(organizationId, known, inviter)
}

export async function revokeInvitation(organizationId: string, id: string, actor: Actor): Promise<void> {
  await transaction(async (trx) => {
    await lockOpen(trx, organizationId)
    const revoked = await trx
      .updateTable('organizationInvitations')
      .set({ settledAt: now, outcome: 'revoked' })
      .where('id', '=', id)
      .where('organizationId', '=', organizationId)
      .where('settledAt', 'is', null)
      .returning('id')
      .executeTakeFirst()
    if (!revoked) stop('notFound', 'This invitation was accepted or revoked.')
    await audit(trx, 'organization_invitation_revoked', { ...by(actor), subjectId: organizationId, detail: { invitation: id } })
  })
}

/** Open invitations of an organization, newest first; expired ones too, because they can be sent again. */
export async function listInvitations(organizationId: string): Promise<OrganizationInvitation[]> {
  const rows = await db
    .selectFrom('organizationInvitations')
    .select(['id', 'email', 'role', 'expiresAt', 'createdAt'])
    .where('organizationId', '=', organizationId)
    .where('settledAt', 'is', null)
    .orderBy('createdAt', 'desc')
    .limit(500)
    .execute()
  return rows.map(({ expiresAt, createdAt, ...row }) => ({
    ...row,
    expiresAt: expiresAt.toISOString(),
    isExpired: expiresAt <= new Date(),
    createdAt: createdAt.toISOString(),
  }))
}

/** The open invitations of a person's address, and those with which they became a member. */
export async function listOwnInvitations({ id, email }: Pick<CurrentUser, 'id' | 'email'>): Promise<OwnInvitation[]> {
  if (!email) return []
  const rows = await db
    .selectFrom('organizationInvitations as invitation')
    .innerJoin('organizations', 'organizations.id', 'invitation.organizationId')
    .leftJoin('organizationMembers as member', (join) =>
      join.onRef('member.organizationId', '=', 'invitation.organizationId').on('member.userId', '=', id),
    )
    .select(['invitation.id', 'organizations.name as organization', 'invitation.role', 'invitedBy', 'expiresAt', 'settledAt'])
    .where((of) => of.fn<string>('lower', ['invitation.email']), '=', email.toLowerCase())
    .where((of) =>
      of.or([
        of.and([of('settledAt', 'is', null), of('expiresAt', '>', now)]),
        of.and([of('outcome', '=', 'accepted'), of('member.userId', 'is not', null)]),
      ]),
    )
    .where('organizations.state', '=', 'active')
    .orderBy('invitation.createdAt', 'desc')
    .limit(50)
    .execute()
  return Promise.all(
    rows.map(async ({ invitedBy, expiresAt, settledAt, ...row }) => ({
      ...row,
      invitedBy: await nameOfAccount(invitedBy),
      expiresAt: expiresAt.toISOString(),
      isJoined: settledAt !== null,
    })),
  )
}

/**
 * Makes the invited person a member. An invitation works only for its address, and the address must be proven: by the account, or by the link of the
 * email where accounts are confirmed without one.
 */
export async function acceptInvitation(
  id: string,
  token: string | undefined,
  person: Actor & Pick<CurrentUser, 'id' | 'email'>,
): Promise<string> {
  const asked = await findInvitation(id)
  return transaction(async (trx) => {
    const organization = await lockOrganization(trx, asked.organizationId)
    if (!organization || organization.state === 'closed')
      stop('conflict', 'This organization was closed, so its invitations no longer work.', { code: 'organization_closed' })
    const invitation = await trx
      .selectFrom('organizationInvitations')
      .selectAll()
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirstOrThrow()
    await refuseOthers(trx, invitation, token, person)
    if (invitation.outcome === 'accepted' && (await isMember(trx, organization.id, person.id))) return organization.id
    if (invitation.settledAt) stop('conflict', 'This invitation was used or revoked. Ask for a new one.', { code: 'invitation_settled' })
    if (invitation.expiresAt <= new Date())
      stop('conflict', 'This invitation has expired. Ask for a new one.', { code: 'invitation_expired' })
    await trx.updateTable('organizationInvitations').set({ settledAt: now, outcome: 'accepted' }).where('id', '=', id).execute()
    await addMember(trx, { organizationId: organization.id, userId: person.id, role: invitation.role }, person)
    await joinPerson(trx, person.email, organization.id)
    const title = `${person.email} joined ${organization.name}`.slice(0, 200)
    const notice = {
      kind: 'organization' as const,
      title,
      link: '/account/organization',
      dedupeKey: `organization_joined:${id}`,
      by: person.id,
    }
    await enqueue(trx, notificationJob({ ...notice, subjectId: id, to: { userIds: [invitation.invitedBy] } }))
    return organization.id
  })
}

export async function declineInvitation(id: string, { email }: Pick<CurrentUser, 'email'>): Promise<void> {
  const declined = await db
    .updateTable('organizationInvitations')
    .set({ settledAt: now, outcome: 'declined' })
    .where('id', '=', id)
    .where((of) => of.fn<string>('lower', ['email']), '=', email.toLowerCase())
    .where('settledAt', 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (!declined) stop('notFound', 'There is no open invitation for your address.')
}

async function findInvitation(id: string) {
  const found = await db.selectFrom('organizationInvitations').select(['id', 'organizationId']).where('id', '=', id).executeTakeFirst()
  return found ?? stop('notFound', 'There is no such invitation.')
}

async function findOpen(organizationId: string, id: string) {
  const found = await db
    .selectFrom('organizationInvitations')
    .select(['email', 'role'])
    .where('id', '=', id)
    .where('organizationId', '=', organizationId)
    .where('settledAt', 'is', null)
    .executeTakeFirst()
  return found ?? stop('notFound', 'This invitation was accepted or revoked.')
}

/** The sentence does not tell the invited address to another person. */
async function refuseOthers(
  trx: Trx,
  invitation: { email: string; tokenHash: Uint8Array },
  token: string | undefined,
  person: Pick<CurrentUser, 'id' | 'email'>,
): Promise<void> {
  if (invitation.email.toLowerCase() !== person.email.toLowerCase()) {
    stop('forbidden', `This invitation is for another address. You are signed in as ${person.email}.`, { code: 'other_address' })
  }
  if (token && Buffer.from(invitation.tokenHash).equals(hashOf(token))) return
  if (!confirmsWithoutProof) {
    const proven = currentAccounts(trx).select('id').where('id', '=', person.id).where('emailProven', '=', true)
    if (await proven.executeTakeFirst()) return
  }
  stop('forbidden', 'Open the link in the invitation’s email to show that this address is yours.', { code: 'address_not_proven' })
}

async function lockOpen(trx: Trx, id: string) {
  const organization = await lockOrganization(trx, id)
  if (!organization || organization.state === 'closed') stop('notFound', 'There is no such organization.')
  if (organization.isPersonal) {
    stop('conflict', 'Create an organization for your company first, then invite colleagues to it.', { code: 'personal_organization' })
  }
  return organization
}

async function refuseMember(trx: Trx, organizationId: string, email: string): Promise<void> {
  const member = await currentAccounts(trx)
    .innerJoin('organizationMembers as member', 'member.userId', 'accounts.id')
    .select('accounts.id')
    .where('member.organizationId', '=', organizationId)
    .where('accounts.email', '=', email)
    .executeTakeFirst()
  const sentence = 'This person is a member already.'
  if (member) stop('conflict', sentence, { code: 'already_a_member', errors: { email: sentence } })
}

async function revokeOpen(trx: Trx, organizationId: string, email: string): Promise<void> {
  await trx
    .updateTable('organizationInvitations')
    .set({ settledAt: now, outcome: 'revoked' })
    .where('organizationId', '=', organizationId)
    .where((of) => of.fn<string>('lower', ['email']), '=', email.toLowerCase())
    .where('settledAt', 'is', null)
    .execute()
}

async function isMember(trx: Trx, organizationId: string, userId: string): Promise<boolean> {
  const found = trx
    .selectFrom('organizationMembers')
    .select('userId')
    .where('organizationId', '=', organizationId)
    .where('userId', '=', userId)
  return (await found.executeTakeFirst()) !== undefined
}

async function nameOfAccount(id: string): Promise<string | null> {
  const account = await currentAccounts().select(['email', 'userMetadata']).where('id', '=', id).executeTakeFirst()
  return account ? (nameOf(account.userMetadata) ?? account.email) : null
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
