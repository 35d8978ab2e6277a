import { type Database, db, type Trx } from '#app/platform/database/db.server.ts'
import type { Row } from '#db/tables.ts'
import { audit } from './audit.server.ts'
import { showNewName } from './author-pages.server.ts'
import { MOST_PROFILE_BYTES, PROFILE_TOO_LONG, profileBytes } from '#app/auth/protocol/profile.ts'
import { refuse } from '#app/auth/protocol/refusal.ts'

export type User = Row<'users'>
export type Metadata = Record<string, unknown>
/** A user with their sign-in methods. */
export type Known = { user: User; identities: Row<'identities'>[] }

/** Room for our own fields about each user: id, address, two flags. */
const RESERVED_BYTES = 500

export function findUserByEmail(connection: Database | Trx, email: string): Promise<User | undefined> {
  return connection.selectFrom('users').selectAll().where('email', '=', email).where('deletedAt', 'is', null).executeTakeFirst()
}

export function findUser(id: string): Promise<User | undefined> {
  return db.selectFrom('users').selectAll().where('id', '=', id).where('deletedAt', 'is', null).executeTakeFirst()
}

export function findUserByPhone(connection: Database | Trx, phone: string): Promise<User | undefined> {
  return connection.selectFrom('users').selectAll().where('phone', '=', phone).where('deletedAt', 'is', null).executeTakeFirst()
}

/** Changes to several rows of one user run one after the other, so the rows stay consistent. */
export async function lockUser(trx: Trx, id: string): Promise<User> {
  return (await lockIfThere(trx, id)) ?? refuse('user_not_found')
}

/** The same for a user who may have been deleted meanwhile. */
export function lockIfThere(trx: Trx, id: string): Promise<User | undefined> {
  return trx.selectFrom('users').selectAll().where('id', '=', id).where('deletedAt', 'is', null).forUpdate().executeTakeFirst()
}

/** Finds the account of an address and locks it. Transactions that write to an account lock it first, to avoid deadlocks. */
export function lockByEmail(trx: Trx, email: string): Promise<User | undefined> {
  return trx.selectFrom('users').selectAll().where('email', '=', email).where('deletedAt', 'is', null).forUpdate().executeTakeFirst()
}

/** The same by phone number. */
export function lockByPhone(trx: Trx, phone: string): Promise<User | undefined> {
  return trx.selectFrom('users').selectAll().where('phone', '=', phone).where('deletedAt', 'is', null).forUpdate().executeTakeFirst()
}

/** Merges the user's own profile data by top-level key; `null` removes a key. */
export async function updateProfile(trx: Trx, user: User, data: Metadata): Promise<void> {
  const merged = Object.fromEntries(Object.entries({ ...user.userMetadata, ...data }).filter(([, value]) => value !== null))
  if (profileBytes(merged) > MOST_PROFILE_BYTES + RESERVED_BYTES) refuse('validation_failed', { sentence: PROFILE_TOO_LONG })
  await trx
    .updateTable('users')
    .set({ userMetadata: JSON.stringify(merged), updatedAt: new Date() })
    .where('id', '=', user.id)
    .execute()
  await showNewName(trx, user.id, user.userMetadata, merged)
  await audit(trx, 'user_modified', { actorId: user.id, subjectId: user.id })
}

export function listIdentities(connection: Database | Trx, userId: string): Promise<Row<'identities'>[]> {
  return connection.selectFrom('identities').selectAll().where('userId', '=', userId).orderBy('createdAt').limit(100).execute()
}
