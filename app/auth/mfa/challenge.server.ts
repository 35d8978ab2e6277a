import { timingSafeEqual } from 'node:crypto'
import { audit } from '#app/auth/users/audit.server.ts'
import { spendNewPhoneMessage, spendOwnMessage } from '#app/auth/tokens/mail-budget.server.ts'
import { refuse } from '#app/auth/protocol/refusal.ts'
import { newCode } from '#app/auth/tokens/one-time-token.server.ts'
import { lockUser, type User } from '#app/auth/users/user.server.ts'
import { enqueueEmail } from '#app/mail/outbox.server.ts'
import { db, insert, newId, transaction, type Trx } from '#app/platform/database/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import { mac } from '#app/platform/guard/keys.server.ts'
import { succeed, visitorKey } from '#app/platform/guard/limits.server.ts'
import { requireFreshSignIn } from '#app/auth/sessions/fresh-sign-in.server.ts'
import { elevateSession } from '#app/auth/sessions/elevate-session.server.ts'
import { type OpenSession, requireSession } from '#app/auth/sessions/session.server.ts'
import { type Factor, hasVerifiedFactor, type SessionUser } from '#app/auth/sessions/user-factors.server.ts'
import { sendPhoneCode } from '#app/mail/sender.server.ts'
import type { Row } from '#db/tables.ts'
import { servesKeyFactors } from './relying-party.server.ts'
import { refuseKnownKey } from './key.server.ts'
import { newChallenge } from './ceremony.server.ts'
import { factorAddedEmail } from './factor-added.email.tsx'
import { findFactor } from './factor.server.ts'
import { countGuess, guesses } from './guesses.server.ts'
import { acceptKey, askKey, type KeyAnswer, type KeyProof, type KeyQuestion, readKeyProof } from './key-factor.server.ts'
import { stepOfCode } from './totp.server.ts'

type Challenge = Row<'mfaChallenges'>

const MOST_TRIES = 5

/** `channel`: how to send the code to a phone. */
export type ChallengeRequest = { factorId: string; address: string; channel?: 'sms' | 'whatsapp' }

/** `key`: the browser's request to an authenticator. */
type Begun = { factor: Factor; id: string; expiresAt: number; key?: KeyQuestion }

/** Starts a challenge. Only this session, from the same network, may verify it. `expiresAt` is in unix seconds. */
export async function beginChallenge(holder: SessionUser, asked: ChallengeRequest): Promise<Begun> {
  const { user } = holder
  requireSession(holder)
  const factor = await findFactor(user.id, asked.factorId)
  allowUse(factor)
  await requireFreshEnrolment(holder, factor)
  const { phone } = factor
  const undo = phone ? await spendFactorMessage(factor, phone, asked) : undefined
  const id = newId()
  const code = phone ? newCode(phone) : undefined
  const webauthnChallenge = factor.factorType === 'webauthn' ? newChallenge() : undefined
  const { createdAt } = await keepChallenge(holder, { ...asked, id, code, webauthnChallenge })
  if (phone && code && !(await sendPhoneCode({ phone, code, userId: user.id, ...(asked.channel && { channel: asked.channel }) }))) {
    await undo?.()
    refuse('sms_send_failed')
  }
  const key = webauthnChallenge && (await askKey(user, factor, webauthnChallenge))
  return { factor, id, expiresAt: Math.floor(createdAt.getTime() / 1000) + env.MFA_CHALLENGE_EXPIRY_DURATION, ...(key && { key }) }
}

function spendFactorMessage({ status, userId }: Factor, phone: string, { address }: ChallengeRequest): Promise<() => Promise<void>> {
  return status === 'verified' ? spendOwnMessage('factor', phone, { address }) : spendNewPhoneMessage('factor', phone, userId, { address })
}

type NewChallenge = ChallengeRequest & { id: string; code: string | undefined; webauthnChallenge: Buffer | undefined }

async function keepChallenge(
  { user, session }: SessionUser,
  { id, factorId, address, code, webauthnChallenge }: NewChallenge,
): Promise<Challenge> {
  return transaction(async (trx) => {
    await trx.updateTable('mfaFactors').set({ lastChallengedAt: new Date() }).where('id', '=', factorId).execute()
    await audit(trx, 'challenge_created', { actorId: user.id, subjectId: user.id, detail: { factorId } })
    const codeHmac = code ? macOf(id, code) : null
    return insert(trx, 'mfaChallenges', { id, factorId, sessionId: session.id, address: visitorKey(address), codeHmac, webauthnChallenge })
  })
}

/** A code, or the response of an authenticator. */
export type ChallengeAnswer = {
  factorId: string
  challengeId: string
  code?: string | undefined
  key?: KeyAnswer | undefined
  address: string
}

/**
 * Verifies the second factor by a challenge. The first success finishes the enrolment. The try is committed before the comparison, so
 * parallel guesses cannot outrun the count.
 */
export async function answerChallenge(
  holder: SessionUser,
  { factorId, challengeId, code, key, address }: ChallengeAnswer,
): Promise<OpenSession> {
  const { user } = holder
  requireSession(holder)
  const factor = await findFactor(user.id, factorId)
  allowUse(factor)
  // Before the try is counted: the user confirms their identity and sends the same answer again.
  await requireFreshEnrolment(holder, factor)
  if (factor.factorType === 'webauthn' && !key) refuse('validation_failed', { sentence: 'WebAuthn config required' })
  if (factor.factorType !== 'webauthn' && !code) refuse('validation_failed', { sentence: 'Code needs to be non-empty' })
  const challenge = await countTry(holder, factor, challengeId, address)
  await countGuess(user.id, address)
  const proof = key ? await proofOfKey(factor, challenge, key) : proofOf(factor, challenge, code ?? '')
  const opened = proof && (await transaction((trx) => pass(trx, holder, factor, challenge, proof)).catch(refuseKnownKey))
  if (!opened) {
    await transaction((trx) =>
      audit(trx, 'verification_attempted', { actorId: user.id, subjectId: user.id, detail: { factorId, passed: false } }),
    )
    refuse('mfa_verification_failed', { sentence: wrong[factor.factorType] })
  }
  await succeed(guesses, user.id)
  return opened
}

const wrong = {
  totp: 'Invalid TOTP code entered',
  phone: 'Invalid MFA Phone code entered',
  webauthn: 'Invalid WebAuthn credential',
}

function allowUse({ factorType }: Factor) {
  if (factorType === 'totp' && !env.MFA_TOTP_VERIFY_ENABLED) refuse('mfa_totp_verify_not_enabled')
  if (factorType === 'phone' && !env.MFA_PHONE_VERIFY_ENABLED) refuse('mfa_phone_verify_not_enabled')
  if (factorType === 'webauthn' && !servesKeyFactors().verify) refuse('mfa_webauthn_verify_not_enabled')
}

/** Finishing an enrolment is as sensitive as starting it. */
async function requireFreshEnrolment({ session }: SessionUser, { status }: Factor): Promise<void> {
  if (status === 'unverified') await requireFreshSignIn(db, session)
}

/** Counts a try at a valid challenge, or refuses. */
async function countTry({ session }: SessionUser, factor: Factor, challengeId: string, address: string): Promise<Challenge> {
  const mine = { id: challengeId, factorId: factor.id, sessionId: session.id }
  const known = await db
    .selectFrom('mfaChallenges')
    .selectAll()
    .where((row) => row.and(mine))
    .executeTakeFirst()
  if (!known) refuse('mfa_factor_not_found', { kind: 'unprocessable', sentence: 'MFA factor with the provided challenge ID not found' })
  if (known.verifiedAt || known.address !== visitorKey(address)) refuse('mfa_ip_address_mismatch')
  const counted = await db
    .updateTable('mfaChallenges')
    .set((row) => ({ tries: row('tries', '+', 1) }))
    .where('id', '=', challengeId)
    .where('tries', '<', factor.factorType === 'webauthn' ? 1 : MOST_TRIES)
    .where('createdAt', '>', new Date(Date.now() - env.MFA_CHALLENGE_EXPIRY_DURATION * 1000))
    .returningAll()
    .executeTakeFirst()
  return counted ?? refuse('mfa_challenge_expired')
}

/** Proof of the right code or key. `step`: the step of a time-based code, which works once. */
type Proof = { step: number | undefined } | { key: KeyProof }

function proofOf(factor: Factor, { id, codeHmac }: Challenge, code: string): Proof | undefined {
  if (codeHmac) return timingSafeEqual(macOf(id, code), codeHmac) ? { step: undefined } : undefined
  if (!factor.secretSealed) return undefined
  const step = stepOfCode(factor.id, factor.secretSealed, code)
  return step === undefined ? undefined : { step }
}

async function proofOfKey(factor: Factor, { webauthnChallenge }: Challenge, key: KeyAnswer): Promise<Proof | undefined> {
  const proof = webauthnChallenge && (await readKeyProof(factor, webauthnChallenge, key))
  return proof ? { key: proof } : undefined
}

function macOf(challengeId: string, code: string): Buffer {
  return mac('factor-code', `${challengeId}:${code}`)
}

/** Uses up the challenge and the code, and raises the session. Returns nothing if a parallel request has used one of them. */
async function pass(trx: Trx, { user: { id: userId }, session }: SessionUser, { id }: Factor, challenge: Challenge, proof: Proof) {
  const user = await lockUser(trx, userId)
  // Read again: the previous holder of the lock may have finished it.
  const factor = await trx.selectFrom('mfaFactors').selectAll().where('id', '=', id).executeTakeFirst()
  const isFirst = factor?.status === 'unverified'
  // Otherwise an attacker with only the password could add their own factor beside the verified one.
  if (isFirst && session.aal !== 'aal2' && (await hasVerifiedFactor(trx, userId))) refuse('insufficient_aal')
  const open = trx
    .updateTable('mfaChallenges')
    .set({ verifiedAt: new Date() })
    .where('id', '=', challenge.id)
    .where('verifiedAt', 'is', null)
  const { numUpdatedRows: used } = await open.executeTakeFirst()
  if (!factor || used === 0n || !(await accept(trx, factor, proof))) return undefined
  if (isFirst) await finishEnrolment(trx, user, factor)
  await audit(trx, 'verification_attempted', { actorId: userId, subjectId: userId, detail: { factorId: id, passed: true } })
  return elevateSession(trx, user, session.id, methods[factor.factorType], id)
}

const methods = { totp: 'totp', phone: 'mfa/phone', webauthn: 'mfa/webauthn' } as const

async function accept(trx: Trx, factor: Factor, proof: Proof): Promise<boolean> {
  if ('key' in proof && !(await acceptKey(trx, factor, proof.key))) return false
  return useStep(trx, factor.id, 'key' in proof ? undefined : proof.step)
}

/** Refuses a code that was used before, or is older than one used before. */
async function useStep(trx: Trx, factorId: string, step: number | undefined): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('mfaFactors')
    .set({ status: 'verified', updatedAt: new Date(), ...(step !== undefined && { lastStep: step }) })
    .where('id', '=', factorId)
    .where((row) => (step === undefined ? row.lit(true) : row.or([row('lastStep', 'is', null), row('lastStep', '<', step)])))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

async function finishEnrolment(trx: Trx, user: User, { id, factorType }: Factor): Promise<void> {
  await trx
    .deleteFrom('mfaFactors')
    .where('userId', '=', user.id)
    .where('factorType', '=', factorType)
    .where('status', '=', 'unverified')
    .where('id', '!=', id)
    .execute()
  if (user.email) await enqueueEmail(trx, factorAddedEmail(user.email, { at: new Date().toISOString(), factorType }))
}
