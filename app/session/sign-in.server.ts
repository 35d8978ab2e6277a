import { db, transaction, type Trx } from '#app/platform/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import { attempt, type Patience, succeed, visitorKey } from '#app/platform/limits.server.ts'
import { Stop } from '#app/platform/stop.ts'
import type { Client } from './client.ts'
import { comparePassword, hashPassword } from '#app/password/hashing.server.ts'
import { findPending } from '#app/one-time-token/one-time-token.server.ts'
import { accountKey } from '#app/account-letter/mail-budget.server.ts'
import { type Weakness, weaknesses } from '#app/password/password.server.ts'
import type { Address } from '#app/identity/new-user.server.ts'
import { noteRefusal } from '#app/identity/refused.server.ts'
import { refuse } from '#app/auth-protocol/refusal.ts'
import { roleOf } from '#app/identity/role.ts'
import { isBanned, type OpenSession, startSession } from './session.server.ts'
import { findUserByEmail, findUserByPhone, lockIfThere, type User } from '#app/identity/user.server.ts'

/** Guesses at one account's password. There is no hard lock: that would let anyone lock anyone out. */
const guesses: Patience = { name: 'password', free: 10, longest: 60, forgottenAfter: 3600 }

/** `weak`: the password was good enough once, today it would be refused. */
export type SignedIn = OpenSession & { weak: Weakness[] }

/** Signs in by password. Whether there is such an account, and what is wrong with it, is told only to who knows its password. */
export async function signIn(address: Address, password: string, client: Client): Promise<SignedIn> {
  const { email, phone } = address
  if (email !== undefined && !env.EXTERNAL_EMAIL_ENABLED) refuse('email_provider_disabled')
  if (phone !== undefined && !env.EXTERNAL_PHONE_ENABLED) refuse('phone_provider_disabled', { kind: 'unprocessable' })
  await countGuess(email ?? phone, client)
  const user = await (email === undefined ? findUserByPhone(db, phone) : findUserByEmail(db, email))
  const confirmedAt = email === undefined ? user?.phoneConfirmedAt : user?.emailConfirmedAt
  const pending = await findPending(db, user?.id)
  const found = await comparePassword(password, confirmedAt ? user?.passwordHash : (user?.passwordHash ?? pending?.passwordHash))
  if (!user || found === 'wrong') {
    const detail = { method: 'password', reason: 'invalid_credentials' }
    noteRefusal({ action: 'login_failed', account: accountKey(email ?? phone), subjectId: user?.id, address: client.address, detail })
    refuse('invalid_credentials')
  }
  await forgetGuesses(email ?? phone, client)
  if (isBanned(user)) {
    const detail = { method: 'password', reason: 'user_banned' }
    noteRefusal({ action: 'login_failed', account: accountKey(email ?? phone), subjectId: user.id, address: client.address, detail })
    refuse('user_banned')
  }
  // An account that nobody has proven has no password. Only whoever knows that of the newest sign-up is told what it waits for.
  if (!confirmedAt) refuse(email === undefined ? 'phone_not_confirmed' : 'email_not_confirmed')
  const provider = email === undefined ? 'phone' : 'email'
  const fresh = found === 'outdated' ? await hashPassword(password) : undefined
  const session = await transaction(async (trx) => {
    const current = await lockIfThere(trx, user.id)
    if (current?.passwordHash !== user.passwordHash) return undefined
    if (fresh) await keepRehash(trx, user, fresh)
    return startSession(trx, user, 'password', client, provider)
  })
  // Hashing takes a while, and longer while many wait for it. What was replaced meanwhile opens nothing any more: what counts is the hash that stands there now.
  if (!session) return signIn(address, password, client)
  return { ...session, weak: weaknesses(password, roleOf(session.user.appMetadata)) }
}

/** Guesses at the password of someone who is signed in count as those at the door do. */
export async function guardGuess({ id, email, phone }: User, client: Client, guess: () => Promise<boolean>): Promise<boolean> {
  const address = email ?? phone ?? ''
  await countGuess(address, client)
  const right = await guess()
  if (right) {
    await forgetGuesses(address, client)
    return true
  }
  const detail = { method: 'password', passed: false }
  noteRefusal({ action: 'verification_attempted', account: id, actorId: id, subjectId: id, address: client.address, detail })
  return false
}

/** In place of the very hash that the password was compared with: a new password that came in between stays. */
async function keepRehash(trx: Trx, { id, passwordHash }: User, fresh: string): Promise<void> {
  await trx.updateTable('users').set({ passwordHash: fresh }).where('id', '=', id).where('passwordHash', '=', passwordHash).execute()
}

/** Where a person has signed in before, they are not held up by strangers who guess elsewhere. */
async function countGuess(address: string, client: Client): Promise<void> {
  try {
    await attempt(guesses, accountKey(address))
  } catch (error) {
    if (!(error instanceof Stop) || !(await hasSignedInFrom(address, client.address))) throw error
    await attempt(guesses, placeKey(address, client))
  }
}

async function forgetGuesses(address: string, client: Client): Promise<void> {
  await Promise.all([succeed(guesses, accountKey(address)), succeed(guesses, placeKey(address, client))])
}

function placeKey(account: string, { address }: Client): string {
  return accountKey(`${account} at ${visitorKey(address)}`)
}

async function hasSignedInFrom(account: string, address: string): Promise<boolean> {
  const column = account.includes('@') ? 'users.email' : 'users.phone'
  const login = await db
    .selectFrom('auditEvents')
    .innerJoin('users', 'users.id', 'auditEvents.subjectId')
    .select('auditEvents.id')
    .where(column, '=', account)
    .where('auditEvents.action', '=', 'login')
    .where('auditEvents.address', '=', address)
    .limit(1)
    .executeTakeFirst()
  return login !== undefined
}
