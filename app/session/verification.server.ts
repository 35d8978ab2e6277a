import { db, newId, transaction, type Trx } from '#app/platform/db.server.ts'
import { consume, forgive, type Limit } from '#app/platform/limits.server.ts'
import type { Row } from '#db/tables.ts'
import type { Client } from './client.ts'
import { accountKey } from '#app/identity/mail-budget.server.ts'
import { type TokenKind, tryCode, useLink, useToken } from '#app/identity/one-time-token.server.ts'
import { refuse } from '#app/identity/refusal.ts'
import { endOtherSessions, isBanned, type OpenSession, startSession } from './session.server.ts'
import { confirmEmail, findUserByEmail, type User } from '#app/identity/user.server.ts'

/** The tokens that a type of verification accepts. */
const kinds = {
  signup: ['confirmation'],
  invite: ['confirmation'],
  recovery: ['recovery'],
  magiclink: ['recovery'],
  email: ['confirmation', 'recovery'],
} as const satisfies Record<string, readonly TokenKind[]>

export type VerificationType = keyof typeof kinds

/** Six digits can be guessed by who may try long enough, whatever number of letters is asked for. */
const codes: Limit = { name: 'one-time-code', points: 5, seconds: 3600 }

/** Signs in by the link of a letter. It works once. */
export async function verifyLink(type: VerificationType, link: string, client: Client): Promise<OpenSession> {
  return open(await transaction(async (trx) => enter(trx, await useLink(trx, link, kinds[type]), client)))
}

/** Signs in by the code of a letter. For an address without an account the answer and the work are the same. */
export async function verifyCode(type: VerificationType, email: string, code: string, client: Client): Promise<OpenSession> {
  await consume(codes, accountKey(email))
  const user = await findUserByEmail(db, email)
  const token = await tryCode(user?.id ?? newId(), code, kinds[type])
  if (!token) refuse('otp_expired')
  await forgive(codes, accountKey(email))
  return open(await transaction(async (trx) => enter(trx, (await useToken(trx, token)) ? token : undefined, client)))
}

/** Confirms an address by the link of a letter, without signing anyone in. Answers whether the link was good. */
export async function confirmByLink(link: string): Promise<boolean> {
  return transaction(async (trx) => {
    const token = await useLink(trx, link, ['confirmation'])
    const user = token && (await findTokenUser(trx, token))
    if (!user) return false
    await confirmEmail(trx, user)
    return true
  })
}

type Outcome = OpenSession | 'otp_expired' | 'user_banned'

/** A refusal is an answer here, not an exception: the token that it used up stays used up. */
async function enter(trx: Trx, token: Row<'oneTimeTokens'> | undefined, client: Client): Promise<Outcome> {
  const user = token && (await findTokenUser(trx, token))
  if (!user) return 'otp_expired'
  if (isBanned(user)) return 'user_banned'
  if (token.kind === 'recovery' && !user.emailConfirmedAt) await dropUnproven(trx, user)
  await confirmEmail(trx, user)
  return startSession(trx, user, 'otp', client)
}

function open(outcome: Outcome): OpenSession {
  if (outcome === 'otp_expired') refuse(outcome)
  if (outcome === 'user_banned') refuse(outcome, { kind: 'forbidden' })
  return outcome
}

/** Whoever set a password before the address was proven need not be the person who has just proven it. */
async function dropUnproven(trx: Trx, user: User): Promise<void> {
  await trx.updateTable('users').set({ passwordHash: null, passwordShort: false }).where('id', '=', user.id).execute()
  await endOtherSessions(trx, user.id, undefined)
}

function findTokenUser(trx: Trx, { userId }: Row<'oneTimeTokens'>): Promise<User | undefined> {
  return trx.selectFrom('users').selectAll().where('id', '=', userId).where('deletedAt', 'is', null).executeTakeFirst()
}
