import { type Database, db, insert, newId, type Trx } from '#app/platform/db.server.ts'
import type { Row } from '#db/tables.ts'
import { audit } from './audit.server.ts'
import { claimOwnership } from './owner.server.ts'
import { MOST_PROFILE_BYTES, PROFILE_TOO_LONG, profileBytes } from './profile.ts'
import { refuse } from './refusal.ts'
import { voidTokens } from './one-time-token.server.ts'

export type User = Row<'users'>
export type Metadata = Record<string, unknown>
/** A user and the ways in which they can sign in. */
export type Known = { user: User; identities: Row<'identities'>[] }
export type NewUser = { email: string; passwordHash: string; passwordShort: boolean; data: Metadata; confirmed: boolean }

/** Room for what we say about each user ourselves: id, address, two flags. */
const RESERVED_BYTES = 500

const EMAIL_PROVIDER = { provider: 'email', providers: ['email'] }

export function findUserByEmail(connection: Database | Trx, email: string): Promise<User | undefined> {
  return connection.selectFrom('users').selectAll().where('email', '=', email).where('deletedAt', 'is', null).executeTakeFirst()
}

export function findUser(id: string): Promise<User | undefined> {
  return db.selectFrom('users').selectAll().where('id', '=', id).where('deletedAt', 'is', null).executeTakeFirst()
}

/** Whoever changes several rows of one user takes turns: what is true of all of them together stays true. */
export async function lockUser(trx: Trx, id: string): Promise<User> {
  const user = await trx.selectFrom('users').selectAll().where('id', '=', id).where('deletedAt', 'is', null).forUpdate().executeTakeFirst()
  return user ?? refuse('user_not_found')
}

/** Makes an account that signs in by e-mail and password, or answers `undefined` when the address has one. */
export async function createUser(trx: Trx, wanted: NewUser): Promise<Known | undefined> {
  const { email, passwordHash, passwordShort, data, confirmed } = wanted
  const id = newId()
  const now = new Date()
  const profile = emailProfile(id, email, data, confirmed)
  const user = await trx
    .insertInto('users')
    .values({
      id,
      email,
      passwordHash,
      passwordShort,
      emailConfirmedAt: confirmed ? now : null,
      confirmationSentAt: confirmed ? null : now,
      appMetadata: JSON.stringify(EMAIL_PROVIDER),
      userMetadata: JSON.stringify(profile),
    })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returningAll()
    .executeTakeFirst()
  if (!user) return undefined
  const identityData = JSON.stringify(profile)
  const identity = await insert(trx, 'identities', { userId: id, provider: 'email', providerId: id, email, identityData })
  return { user, identities: [identity] }
}

/** A user who looks as if they had just been made, for those who must not learn that the address has an account. */
export function pretendUser(email: string, data: Metadata): Known {
  const now = new Date()
  const user: User = {
    ...noUser,
    id: newId(),
    email,
    confirmationSentAt: now,
    appMetadata: EMAIL_PROVIDER,
    createdAt: now,
    updatedAt: now,
  }
  user.userMetadata = emailProfile(user.id, email, data, false)
  const own = { id: newId(), userId: user.id, provider: 'email', providerId: user.id, identityData: user.userMetadata, email }
  return { user, identities: [{ ...own, lastSignInAt: null, createdAt: now, updatedAt: now }] }
}

/** The address is proven: all letters to it are void, and the first such account may own the installation. */
export async function confirmEmail(trx: Trx, user: User): Promise<void> {
  await voidTokens(trx, user.id)
  if (user.emailConfirmedAt) return
  const proven = { email_verified: true }
  await trx
    .updateTable('users')
    .set({ emailConfirmedAt: new Date(), updatedAt: new Date(), userMetadata: JSON.stringify({ ...user.userMetadata, ...proven }) })
    .where('id', '=', user.id)
    .execute()
  await mergeIdentity(trx, user.id, proven)
  await audit(trx, user.invitedAt ? 'invite_accepted' : 'user_confirmed', { actorId: user.id, subjectId: user.id })
  await claimOwnership(trx, user)
}

/** Merges what someone says about themselves, by top-level key; `null` removes one. */
export async function updateProfile(trx: Trx, user: User, data: Metadata): Promise<void> {
  const merged = Object.fromEntries(Object.entries({ ...user.userMetadata, ...data }).filter(([, value]) => value !== null))
  if (profileBytes(merged) > MOST_PROFILE_BYTES + RESERVED_BYTES) refuse('validation_failed', { sentence: PROFILE_TOO_LONG })
  await trx
    .updateTable('users')
    .set({ userMetadata: JSON.stringify(merged), updatedAt: new Date() })
    .where('id', '=', user.id)
    .execute()
  await audit(trx, 'user_modified', { actorId: user.id, subjectId: user.id })
}

export function listIdentities(connection: Database | Trx, userId: string): Promise<Row<'identities'>[]> {
  return connection.selectFrom('identities').selectAll().where('userId', '=', userId).orderBy('createdAt').limit(100).execute()
}

async function mergeIdentity(trx: Trx, userId: string, data: Metadata) {
  const own = await trx
    .selectFrom('identities')
    .selectAll()
    .where('provider', '=', 'email')
    .where('providerId', '=', userId)
    .executeTakeFirst()
  if (!own) return
  await trx
    .updateTable('identities')
    .set({ identityData: JSON.stringify({ ...own.identityData, ...data }), updatedAt: new Date() })
    .where('id', '=', own.id)
    .execute()
}

/** Reserved keys win over what the caller sent. */
function emailProfile(id: string, email: string, data: Metadata, verified: boolean): Metadata {
  return { ...data, sub: id, email, email_verified: verified, phone_verified: false }
}

const noUser = {
  phone: null,
  passwordHash: null,
  passwordShort: false,
  emailConfirmedAt: null,
  phoneConfirmedAt: null,
  invitedAt: null,
  recoverySentAt: null,
  reauthenticationSentAt: null,
  newEmail: null,
  emailChangeSentAt: null,
  newPhone: null,
  phoneChangeSentAt: null,
  lastSignInAt: null,
  userMetadata: {},
  isAnonymous: false,
  tokenRole: 'authenticated',
  bannedUntil: null,
  deletedAt: null,
}
