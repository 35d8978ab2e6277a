import { db, transaction, type Trx } from '#app/platform/database/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import { attempt, type Patience, succeed, visitorKey } from '#app/platform/guard/limits.server.ts'
import { Stop } from '#app/platform/errors/stop.ts'
import type { Client } from './client.ts'
import { compareAtSignIn, hashPassword } from './hashing.server.ts'
import { accountKey } from '#app/mail/budget.server.ts'
import { listOpenPasswords } from '#app/auth/tokens/one-time-token.server.ts'
import { type Weakness, weaknesses } from './password.server.ts'
import { isFamiliarTo } from '#app/auth/users/familiar-network.server.ts'
import type { ProvenContact } from '#app/auth/users/new-user.server.ts'
import { noteRefusal, notingLimit } from '#app/auth/users/refused.server.ts'
import { refuse } from '#app/auth/protocol/refusal.ts'
import { roleOf } from '#app/auth/users/role.ts'
import { isBanned, type OpenSession, startSession } from './session.server.ts'
import { findUserByEmail, findUserByPhone, lockIfThere, type User } from '#app/auth/users/user.server.ts'

/** Guesses at one account's password. There is no hard lock: that would let anyone lock anyone out. */
const guesses: Patience = { name: 'password', free: 10, longest: 60, forgottenAfter: 3600 }

/** `weak`: reasons why the current rules would refuse this password. */
export type SignedIn = OpenSession & { weak: Weakness[] }

/** Signs in by password. Without the right password, the response does not show whether the account exists or what state it is in. */
export async function signIn(address: ProvenContact, password: string, client: Client): Promise<SignedIn> {
  const { email, phone } = address
  if (email !== undefined && !env.EXTERNAL_EMAIL_ENABLED) refuse('email_provider_disabled')
  if (phone !== undefined && !env.EXTERNAL_PHONE_ENABLED) refuse('phone_provider_disabled', { kind: 'unprocessable' })
  await countGuess(email ?? phone, client)
  const user = await (email === undefined ? findUserByPhone(db, phone) : findUserByEmail(db, email))
  const confirmedAt = email === undefined ? user?.phoneConfirmedAt : user?.emailConfirmedAt
  const unconfirmed = email === undefined ? 'phone_not_confirmed' : 'email_not_confirmed'
  // A repeated sign-up stores its password too, so this answer does not show which addresses have an account.
  const open = { address: email ?? phone, hashes: email === undefined ? [] : await listOpenPasswords(email) }
  const found = await compareAtSignIn(password, user?.passwordHash, open)
  if (!user || found === 'wrong' || found === 'open') {
    const reason = found === 'open' ? unconfirmed : 'invalid_credentials'
    const detail = { method: 'password', reason }
    noteRefusal({ action: 'login_failed', account: accountKey(email ?? phone), subjectId: user?.id, address: client.address, detail })
    refuse(reason)
  }
  await forgetGuesses(email ?? phone, client)
  if (isBanned(user)) {
    const detail = { method: 'password', reason: 'user_banned' }
    noteRefusal({ action: 'login_failed', account: accountKey(email ?? phone), subjectId: user.id, address: client.address, detail })
    refuse('user_banned')
  }
  // Only an administrator gives a password to an account whose address is not confirmed.
  if (!confirmedAt) refuse(unconfirmed)
  const provider = email === undefined ? 'phone' : 'email'
  const fresh = found === 'outdated' ? await hashPassword(password) : undefined
  const session = await transaction(async (trx) => {
    const current = await lockIfThere(trx, user.id)
    if (current?.passwordHash !== user.passwordHash) return undefined
    if (fresh) await keepRehash(trx, user, fresh)
    return startSession(trx, user, 'password', client, provider)
  })
  // Hashing is slow, and the password may have changed meanwhile: compare with the current hash.
  if (!session) return signIn(address, password, client)
  return { ...session, weak: weaknesses(password, roleOf(session.user.appMetadata)) }
}

/** Counts guesses at the password of a signed-in user together with those of sign-ins. */
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

/** Replaces only the hash that was compared: a password changed meanwhile stays. */
async function keepRehash(trx: Trx, { id, passwordHash }: User, fresh: string): Promise<void> {
  await trx.updateTable('users').set({ passwordHash: fresh }).where('id', '=', id).where('passwordHash', '=', passwordHash).execute()
}

/** Guesses of strangers from other networks do not hold up a user on a network where they have signed in before. */
async function countGuess(address: string, client: Client): Promise<void> {
  const findSubject = async () => (await (address.includes('@') ? findUserByEmail : findUserByPhone)(db, address))?.id
  const limited = { kind: 'sign_in', account: accountKey(address), findSubject, address: client.address } as const
  await notingLimit(limited, async () => {
    try {
      await attempt(guesses, accountKey(address))
    } catch (error) {
      if (!(error instanceof Stop) || !(await isFamiliarTo(address, visitorKey(client.address)))) throw error
      await attempt(guesses, placeKey(address, client))
    }
  })
}

async function forgetGuesses(address: string, client: Client): Promise<void> {
  await Promise.all([succeed(guesses, accountKey(address)), succeed(guesses, placeKey(address, client))])
}

function placeKey(account: string, { address }: Client): string {
  return accountKey(`${account} at ${visitorKey(address)}`)
}
