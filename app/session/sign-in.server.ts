import { db, transaction, type Trx } from '#app/platform/db.server.ts'
import { attempt, type Patience, succeed, visitorKey } from '#app/platform/limits.server.ts'
import { Stop } from '#app/platform/stop.ts'
import type { Client } from './client.ts'
import { hashPassword, isForeignHash, isPassword } from '#app/identity/hashing.server.ts'
import { accountKey } from '#app/identity/mail-budget.server.ts'
import { isShort } from '#app/identity/password.server.ts'
import { refuse } from '#app/identity/refusal.ts'
import { roleOf } from '#app/identity/role.ts'
import { isBanned, type OpenSession, startSession } from './session.server.ts'
import { findUserByEmail, type User } from '#app/identity/user.server.ts'

/** Guesses at one account's password. There is no hard lock: that would let anyone lock anyone out. */
const guesses: Patience = { name: 'password', free: 10, longest: 60, forgottenAfter: 3600 }

/** `short`: the password was good enough once, today it would be refused. */
export type SignedIn = OpenSession & { short: boolean }

/** Signs in by password. Whether there is such an account, and what is wrong with it, is told only to who knows its password. */
export async function signIn(email: string, password: string, client: Client): Promise<SignedIn> {
  await countGuess(email, client)
  const user = await findUserByEmail(db, email)
  const right = await isPassword(password, user?.passwordHash)
  if (!user || !right) refuse('invalid_credentials')
  await forgetGuesses(email, client)
  if (isBanned(user)) refuse('user_banned')
  if (!user.emailConfirmedAt) refuse('email_not_confirmed')
  const fresh = user.passwordHash && isForeignHash(user.passwordHash) ? await hashPassword(password) : undefined
  const session = await transaction(async (trx) => {
    if (fresh) await keepRehash(trx, user, fresh)
    return startSession(trx, user, 'password', client)
  })
  return { ...session, short: isShort(password, roleOf(session.user.appMetadata)) }
}

/** In place of the very hash that the password was compared with: a new password that came in between stays. */
async function keepRehash(trx: Trx, { id, passwordHash }: User, fresh: string): Promise<void> {
  await trx.updateTable('users').set({ passwordHash: fresh }).where('id', '=', id).where('passwordHash', '=', passwordHash).execute()
}

/** Where a person has signed in before, they are not held up by strangers who guess elsewhere. */
async function countGuess(email: string, client: Client): Promise<void> {
  try {
    await attempt(guesses, accountKey(email))
  } catch (error) {
    if (!(error instanceof Stop) || !(await hasSignedInFrom(email, client.address))) throw error
    await attempt(guesses, placeKey(email, client))
  }
}

async function forgetGuesses(email: string, client: Client): Promise<void> {
  await Promise.all([succeed(guesses, accountKey(email)), succeed(guesses, placeKey(email, client))])
}

function placeKey(email: string, { address }: Client): string {
  return accountKey(`${email} at ${visitorKey(address)}`)
}

async function hasSignedInFrom(email: string, address: string): Promise<boolean> {
  const login = await db
    .selectFrom('auditEvents')
    .innerJoin('users', 'users.id', 'auditEvents.subjectId')
    .select('auditEvents.id')
    .where('users.email', '=', email)
    .where('auditEvents.action', '=', 'login')
    .where('auditEvents.address', '=', address)
    .limit(1)
    .executeTakeFirst()
  return login !== undefined
}
