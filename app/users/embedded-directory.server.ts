import { sql } from 'kysely'
import { db, transaction, type Trx } from '#app/platform/db.server.ts'
import { stop } from '#app/platform/stop.ts'
import { type Actor, audit, by } from '#app/identity/audit.server.ts'
import { giveRole, keepAnOwner } from '#app/identity/last-owner.server.ts'
import { type Role, roleOf } from '#app/identity/role.ts'
import { isBanned } from '#app/session/session.server.ts'
import type { User } from '#app/identity/user.server.ts'
import { after, containing, USER_PAGE_SIZE, writeCursor } from './directory-cursor.server.ts'
import { removeUser } from './remove-user.server.ts'
import { inviteByEmail } from './invite.server.ts'
import { nameOf } from './user-name.ts'
import type { ListedSession, ListedUser, UserPage, UserSearch } from './user-directory.ts'

/** The accounts that we keep ourselves. */
export const embeddedDirectory = { listUsers, findUser, changeRole, banUser, unbanUser, inviteUser, deleteUser, listSessions, endSessions }

async function listUsers({ search, cursor, limit = USER_PAGE_SIZE }: UserSearch): Promise<UserPage> {
  const rows = await db
    .selectFrom('users')
    .selectAll()
    .select(sql<string>`created_at::text`.as('createdText'))
    .where('deletedAt', 'is', null)
    .where('isAnonymous', '=', false)
    .where(after(cursor))
    .where(search ? matching(search) : sql<boolean>`true`)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  const shown = rows.slice(0, limit)
  return { users: shown.map(toListed), nextCursor: rows.length > limit ? writeCursor(shown.at(-1)) : null }
}

/** A part of the address, or of the name. */
function matching(search: string) {
  const part = containing(search)
  return sql<boolean>`(email::text ILIKE ${part} OR phone LIKE ${part} OR concat_ws(' ', user_metadata->>'first_name', user_metadata->>'last_name') ILIKE ${part}
    OR user_metadata->>'full_name' ILIKE ${part})`
}

async function findUser(id: string): Promise<ListedUser | undefined> {
  const user = await db.selectFrom('users').selectAll().where('id', '=', id).where('deletedAt', 'is', null).executeTakeFirst()
  return user && toListed(user)
}

async function changeRole(id: string, role: Role, actor: Actor): Promise<ListedUser> {
  return transaction(async (trx) => toListed(await giveRole(trx, await lockUser(trx, id), role, actor)))
}

/** A ban counts at once: every request looks it up. */
async function banUser(id: string, until: Date, actor: Actor, reason?: string): Promise<ListedUser> {
  return transaction(async (trx) => {
    const user = await lockUser(trx, id)
    if (roleOf(user.appMetadata) === 'owner') await keepAnOwner(trx, id)
    const banned = await setBan(trx, id, until)
    await audit(trx, 'user_banned', { ...by(actor), subjectId: id, detail: { until: until.toISOString(), ...(reason && { reason }) } })
    return toListed(banned)
  })
}

async function unbanUser(id: string, actor: Actor): Promise<ListedUser> {
  return transaction(async (trx) => {
    await lockUser(trx, id)
    const free = await setBan(trx, id, null)
    await audit(trx, 'user_unbanned', { ...by(actor), subjectId: id })
    return toListed(free)
  })
}

/** Sends the letter with which someone makes their account; they have the role from then on. */
async function inviteUser(email: string, role: Role, actor: Actor): Promise<ListedUser> {
  return transaction(async (trx) => {
    const invited = await inviteByEmail(trx, { email, data: {} }, actor)
    return toListed(await giveRole(trx, invited, role, actor))
  })
}

async function deleteUser(id: string, actor: Actor): Promise<void> {
  await transaction(async (trx) => removeUser(trx, await lockUser(trx, id), actor))
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

/** Signs someone out everywhere, or of one session. */
async function endSessions(userId: string, actor: Actor, sessionId?: string): Promise<void> {
  await transaction(async (trx) => {
    const all = trx.deleteFrom('sessions').where('userId', '=', userId)
    const { numDeletedRows } = await (sessionId ? all.where('id', '=', sessionId) : all).executeTakeFirst()
    if (numDeletedRows === 0n) return
    await audit(trx, 'logout', { ...by(actor), subjectId: userId, detail: { scope: sessionId ? 'one' : 'global' } })
  })
}

async function setBan(trx: Trx, id: string, bannedUntil: Date | null): Promise<User> {
  return trx.updateTable('users').set({ bannedUntil, updatedAt: new Date() }).where('id', '=', id).returningAll().executeTakeFirstOrThrow()
}

/** The user, whom nobody else changes until this transaction has ended. */
async function lockUser(trx: Trx, id: string): Promise<User> {
  const user = await trx.selectFrom('users').selectAll().where('id', '=', id).where('deletedAt', 'is', null).forUpdate().executeTakeFirst()
  return user ?? stop('notFound', 'There is no such account.')
}

function toListed(user: User): ListedUser {
  const { id, email, createdAt, invitedAt, emailConfirmedAt, phoneConfirmedAt, lastSignInAt, bannedUntil, userMetadata } = user
  return {
    id,
    email,
    name: nameOf(userMetadata),
    role: roleOf(user.appMetadata),
    createdAt: createdAt.toISOString(),
    invitedAt: invitedAt?.toISOString() ?? null,
    confirmedAt: (emailConfirmedAt ?? phoneConfirmedAt)?.toISOString() ?? null,
    lastSeenAt: lastSignInAt?.toISOString() ?? null,
    bannedUntil: isBanned(user) ? (bannedUntil?.toISOString() ?? null) : null,
  }
}
