import { z } from 'zod'
import { isBannedAccount, type HostedAccount } from '#app/auth/hosted/hosted-account.server.ts'
import { endHostedOf } from '#app/auth/hosted/hosted-session.server.ts'
import { callProjectAsAdmin } from '#app/auth/hosted/project.server.ts'
import { type Actor, audit, by } from '#app/auth/users/audit.server.ts'
import { refuse } from '#app/auth/protocol/refusal.ts'
import { keepAnOwner } from '#app/auth/users/last-owner.server.ts'
import type { AccountRight, Role } from '#app/auth/users/role.ts'
import { db, transaction, type Trx } from '#app/platform/database/db.server.ts'
import { condition } from '#app/platform/database/sql.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { deletesElsewhere, forgetAccount, isRemovedElsewhere } from './hosted-removal.server.ts'
import { auditInvitedRole } from './audit-change.server.ts'
import { bansOf } from './ban.server.ts'
import { rightsOf } from './rights.server.ts'
import { createdText, isNamed, readPage } from './directory-page.server.ts'
import type { ListedSession, ListedUser, UserPage, UserSearch } from './user-directory.ts'
import { nameOf } from '#app/auth/users/user-name.ts'

/** Accounts at a hosted service, as far as we have seen them. We manage roles, bans and ended sessions; the service manages invitations and deletions. */
export const hostedDirectory = {
  mayAdminister: deletesElsewhere,
  listUsers,
  findUser,
  changeRole,
  changeRoleIn,
  ...bansOf({ lock, roleOf: ({ role }) => role, setBan, toListed }),
  ...rightsOf({ lock, roleOf: ({ role }) => role, setRights, toListed }),
  inviteUser,
  deleteUser,
  listSessions,
  endSessions,
}

function listUsers(search: UserSearch): Promise<UserPage> {
  return readPage(search, toListed, ({ isAfter, part, most }) =>
    db
      .selectFrom('hostedAccounts')
      .selectAll()
      .select(createdText)
      .where('deletedAt', 'is', null)
      .where(isAfter)
      .where(part ? isNamed(part) : condition`true`)
      .where(search.role ? condition`coalesce(invited_role, role) = ${search.role}` : condition`true`)
      .orderBy('createdAt', 'desc')
      .orderBy('id', 'desc')
      .limit(most)
      .execute(),
  )
}

async function findUser(id: string): Promise<ListedUser | undefined> {
  const account = await db.selectFrom('hostedAccounts').selectAll().where('id', '=', id).where('deletedAt', 'is', null).executeTakeFirst()
  return account && toListed(account)
}

async function changeRole(id: string, role: Role, actor: Actor): Promise<ListedUser> {
  return transaction((trx) => changeRoleIn(trx, id, role, actor))
}

async function changeRoleIn(trx: Trx, id: string, role: Role, actor: Actor): Promise<ListedUser> {
  const account = await lock(trx, id)
  if (account.role === role && !account.invitedRole) return toListed(account)
  if (account.role !== role) {
    if (role !== 'customer' && !account.emailConfirmedAt) refuse('address_not_proven')
    if (account.role === 'owner') await keepAnOwner(trx, id)
    await audit(trx, 'role_changed', { ...by(actor), subjectId: id, detail: { from: account.role, to: role } })
  }
  await auditInvitedRole(trx, account, role, actor)
  return toListed(
    await trx
      .updateTable('hostedAccounts')
      .set({ role, invitedRole: null, ...(role === 'customer' && { rights: '[]' }) })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow(),
  )
}

const invited = z.object({ id: z.guid(), email: z.string() })

/** The service sends the email. We give the role once the service says that the address is proven. */
async function inviteUser(email: string, role: Role, actor: Actor): Promise<ListedUser> {
  const { status, body } = await callProjectAsAdmin({ method: 'POST', path: '/invite', body: { email } })
  if (status === 422) refuse('email_exists')
  const guest = invited.safeParse(body)
  if (status !== 200 || !guest.success) return stop('unavailable', 'The sign-in service could not invite this address.')
  return transaction(async (trx) => {
    const invitedRole = role === 'customer' ? null : role
    await trx
      .insertInto('hostedAccounts')
      .values({ id: guest.data.id, email, invitedRole })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ invitedRole }))
      .execute()
    await audit(trx, 'user_invited', { ...by(actor), subjectId: guest.data.id, detail: { role } })
    return toListed(await lock(trx, guest.data.id))
  })
}

/** Deletes the account here, which makes its tokens invalid, and at the service with the secret key. */
async function deleteUser(id: string, actor: Actor): Promise<void> {
  const account = await findUser(id)
  if (!account) stop('notFound', 'There is no such account.')
  await transaction((trx) => keepAnOwner(trx, id))
  if (!(await isRemovedElsewhere(id))) stop('unavailable', 'The sign-in service could not delete this account.')
  await transaction((trx) => forgetAccount(trx, id, actor))
}

async function listSessions(userId: string): Promise<ListedSession[]> {
  const rows = await db
    .selectFrom('hostedSessions')
    .selectAll()
    .where('accountId', '=', userId)
    .where('endedAt', 'is', null)
    .orderBy('lastSeenAt', 'desc')
    .limit(200)
    .execute()
  return rows.map(({ id, userAgent, address, createdAt, lastSeenAt }) => ({
    id,
    userAgent,
    address,
    createdAt: createdAt.toISOString(),
    lastSeenAt: lastSeenAt.toISOString(),
  }))
}

function endSessions(userId: string, actor: Actor, sessionId?: string): Promise<void> {
  return endHostedOf(userId, actor, sessionId)
}

async function setBan(trx: Trx, id: string, bannedUntil: Date | null): Promise<HostedAccount> {
  return trx.updateTable('hostedAccounts').set({ bannedUntil }).where('id', '=', id).returningAll().executeTakeFirstOrThrow()
}

async function setRights(trx: Trx, id: string, rights: readonly AccountRight[]): Promise<HostedAccount> {
  const row = trx
    .updateTable('hostedAccounts')
    .set({ rights: JSON.stringify(rights) })
    .where('id', '=', id)
  return row.returningAll().executeTakeFirstOrThrow()
}

async function lock(trx: Trx, id: string): Promise<HostedAccount> {
  const open = trx.selectFrom('hostedAccounts').selectAll().where('id', '=', id).where('deletedAt', 'is', null)
  return (await open.forUpdate().executeTakeFirst()) ?? stop('notFound', 'There is no such account.')
}

function toListed(account: HostedAccount): ListedUser {
  const { id, email, role, rights, createdAt, emailConfirmedAt, lastSeenAt, bannedUntil, userMetadata } = account
  return {
    id,
    email,
    name: nameOf(userMetadata),
    role,
    rights,
    createdAt: createdAt.toISOString(),
    invitedAt: null,
    confirmedAt: emailConfirmedAt?.toISOString() ?? null,
    lastSeenAt: lastSeenAt.toISOString(),
    bannedUntil: isBannedAccount(account) ? (bannedUntil?.toISOString() ?? null) : null,
    isProven: emailConfirmedAt !== null,
    invitedRole: account.invitedRole,
  }
}
