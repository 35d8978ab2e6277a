import { sql } from 'kysely'
import { db, transaction, type Trx } from '#app/platform/database/db.server.ts'
import { condition } from '#app/platform/database/sql.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { type Actor, audit, by } from '#app/auth/users/audit.server.ts'
import { giveRole } from '#app/auth/users/last-owner.server.ts'
import { isProven } from '#app/auth/users/proven.server.ts'
import { type AccountRight, type Role, roleOf } from '#app/auth/users/role.ts'
import { dropIssuedCodes } from '#app/auth/sessions/flow-state.server.ts'
import { isBanned } from '#app/auth/sessions/session.server.ts'
import { findUser as findStoredUser, lockIfThere, type User } from '#app/auth/users/user.server.ts'
import { auditInvitedRole } from './audit-change.server.ts'
import { bansOf } from './ban.server.ts'
import { rightsOf } from './rights.server.ts'
import { createdText, isNamed, readPage } from './directory-page.server.ts'
import { removeUser } from './remove-user.server.ts'
import { inviteByEmail } from './invite.server.ts'
import { nameOf } from '#app/auth/users/user-name.ts'
import type { ListedSession, ListedUser, UserPage, UserSearch } from './user-directory.ts'

/** Accounts in our own database. */
export const embeddedDirectory = {
  /** Whether we can invite people and delete accounts. */
  mayAdminister: true,
  listUsers,
  findUser,
  changeRole,
  /** The same within a transaction. */
  changeRoleIn,
  ...bansOf({ lock, roleOf: ({ appMetadata }) => roleOf(appMetadata), setBan, toListed }),
  ...rightsOf({ lock, roleOf: ({ appMetadata }) => roleOf(appMetadata), setRights, toListed }),
  inviteUser,
  deleteUser,
  listSessions,
  endSessions,
}

/** As `roleOf` reads it. */
const heldRole = sql`(CASE WHEN app_metadata->>'role' IN ('staff', 'owner') THEN app_metadata->>'role' ELSE 'customer' END)`

function listUsers(search: UserSearch): Promise<UserPage> {
  return readPage(search, toListed, ({ isAfter, part, most }) =>
    db
      .selectFrom('users')
      .selectAll()
      .select(createdText)
      .where('deletedAt', 'is', null)
      .where('isAnonymous', '=', false)
      .where(isAfter)
      .where(part ? condition`(${isNamed(part)} OR phone LIKE ${part})` : condition`true`)
      .where(search.role ? condition`coalesce(invited_role, ${heldRole}) = ${search.role}` : condition`true`)
      .orderBy('createdAt', 'desc')
      .orderBy('id', 'desc')
      .limit(most)
      .execute(),
  )
}

async function findUser(id: string): Promise<ListedUser | undefined> {
  const user = await findStoredUser(id)
  return user && toListed(user)
}

async function changeRole(id: string, role: Role, actor: Actor): Promise<ListedUser> {
  return transaction((trx) => changeRoleIn(trx, id, role, actor))
}

async function changeRoleIn(trx: Trx, id: string, role: Role, actor: Actor): Promise<ListedUser> {
  const user = await giveRole(trx, await lock(trx, id), role, actor)
  if (!user.invitedRole) return toListed(user)
  await auditInvitedRole(trx, user, role, actor)
  return toListed(await trx.updateTable('users').set({ invitedRole: null }).where('id', '=', id).returningAll().executeTakeFirstOrThrow())
}

/** Sends the invitation email. The role takes effect once the address is proven. */
async function inviteUser(email: string, role: Role, actor: Actor): Promise<ListedUser> {
  return transaction(async (trx) => toListed(await inviteByEmail(trx, { email, data: {}, role }, actor)))
}

async function deleteUser(id: string, actor: Actor): Promise<void> {
  await transaction(async (trx) => removeUser(trx, await lock(trx, id), actor))
}

async function listSessions(userId: string): Promise<ListedSession[]> {
  const rows = await db.selectFrom('sessions').selectAll().where('userId', '=', userId).orderBy('refreshedAt', 'desc').limit(200).execute()
  return rows.map(({ id, userAgent, address, createdAt, refreshedAt }) => ({
    id,
    userAgent,
    address,
    createdAt: createdAt.toISOString(),
    lastSeenAt: refreshedAt.toISOString(),
  }))
}

/** Ends all sessions of a user, or one. */
async function endSessions(userId: string, actor: Actor, sessionId?: string): Promise<void> {
  await transaction(async (trx) => {
    if (!sessionId) await dropIssuedCodes(trx, userId)
    const all = trx.deleteFrom('sessions').where('userId', '=', userId)
    const { numDeletedRows } = await (sessionId ? all.where('id', '=', sessionId) : all).executeTakeFirst()
    if (numDeletedRows === 0n) return
    await audit(trx, 'logout', { ...by(actor), subjectId: userId, detail: { scope: sessionId ? 'one' : 'global' } })
  })
}

async function setBan(trx: Trx, id: string, bannedUntil: Date | null): Promise<User> {
  return trx.updateTable('users').set({ bannedUntil, updatedAt: new Date() }).where('id', '=', id).returningAll().executeTakeFirstOrThrow()
}

async function setRights(trx: Trx, id: string, rights: readonly AccountRight[]): Promise<User> {
  const row = trx
    .updateTable('users')
    .set({ rights: JSON.stringify(rights), updatedAt: new Date() })
    .where('id', '=', id)
  return row.returningAll().executeTakeFirstOrThrow()
}

async function lock(trx: Trx, id: string): Promise<User> {
  return (await lockIfThere(trx, id)) ?? stop('notFound', 'There is no such account.')
}

function toListed(user: User): ListedUser {
  const { id, email, createdAt, invitedAt, emailConfirmedAt, phoneConfirmedAt, lastSignInAt, bannedUntil, userMetadata } = user
  return {
    id,
    email,
    name: nameOf(userMetadata),
    role: roleOf(user.appMetadata),
    rights: user.rights,
    createdAt: createdAt.toISOString(),
    invitedAt: invitedAt?.toISOString() ?? null,
    confirmedAt: (emailConfirmedAt ?? phoneConfirmedAt)?.toISOString() ?? null,
    lastSeenAt: lastSignInAt?.toISOString() ?? null,
    bannedUntil: isBanned(user) ? (bannedUntil?.toISOString() ?? null) : null,
    isProven: isProven(user),
    invitedRole: user.invitedRole,
  }
}
