import { timingSafeEqual } from 'node:crypto'
import { audit } from '#app/identity/audit.server.ts'
import { forgiveMessage, spendMessage, spendStrangeMessage } from '#app/account-letter/mail-budget.server.ts'
import { refuse } from '#app/auth-protocol/refusal.ts'
import { newCode } from '#app/one-time-token/one-time-token.server.ts'
import { lockUser, type User } from '#app/identity/user.server.ts'
import { post } from '#app/mail/outbox.server.ts'
import { db, insert, newId, transaction, type Trx } from '#app/platform/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import { mac } from '#app/platform/keys.server.ts'
import { attempt, succeed, visitorKey } from '#app/platform/limits.server.ts'
import { raiseSession } from '#app/session/raise.server.ts'
import type { OpenSession } from '#app/session/session.server.ts'
import { type Factor, hasVerifiedFactor, type Holder } from '#app/session/user-factors.server.ts'
import { sendPhoneCode } from '#app/sms/sender.server.ts'
import type { Row } from '#db/tables.ts'
import { servesKeyFactors } from '#app/passkey/relying-party.server.ts'
import { refuseKnownKey } from '#app/passkey/key.server.ts'
import { newChallenge } from '#app/passkey/ceremony.server.ts'
import { factorAddedLetter } from './factor-added.email.tsx'
import { findFactor } from './factor.server.ts'
import { guesses } from './guesses.server.ts'
import { acceptKey, askKey, type KeyAnswer, type KeyProof, type KeyQuestion, readKeyProof } from './key-factor.server.ts'
import { stepOfCode } from './totp.server.ts'

type Challenge = Row<'mfaChallenges'>

const MOST_TRIES = 5

/** How the code of a challenge gets to whom it is for; an authenticator needs nothing sent. */
export type Asked = { factorId: string; address: string; channel?: 'sms' | 'whatsapp' }

/** `key`: what the browser has to ask an authenticator for. */
type Begun = { factor: Factor; id: string; expiresAt: number; key?: KeyQuestion }

/** What a code is asked for with: only the session that asked may answer, from where it asked. `expiresAt` is in unix seconds. */
export async function beginChallenge(holder: Holder, asked: Asked): Promise<Begun> {
  const { user } = holder
  const factor = await findFactor(user.id, asked.factorId)
  allowUse(factor)
  const { phone } = factor
  if (phone) await (factor.status === 'verified' ? spendMessage('factor', phone) : spendStrangeMessage('factor', phone, user.id))
  const id = newId()
  const code = phone ? newCode(phone) : undefined
  const webauthnChallenge = factor.factorType === 'webauthn' ? newChallenge() : undefined
  const { createdAt } = await keepChallenge(holder, { ...asked, id, code, webauthnChallenge })
  if (phone && code && !(await sendPhoneCode({ phone, code, userId: user.id, ...(asked.channel && { channel: asked.channel }) }))) {
    await forgiveMessage('factor', phone)
    refuse('sms_send_failed')
  }
  const key = webauthnChallenge && (await askKey(user, factor, webauthnChallenge))
  return { factor, id, expiresAt: Math.floor(createdAt.getTime() / 1000) + env.MFA_CHALLENGE_EXPIRY_DURATION, ...(key && { key }) }
}

type NewChallenge = Asked & { id: string; code: string | undefined; webauthnChallenge: Buffer | undefined }

async function keepChallenge(
  { user, session }: Holder,
  { id, factorId, address, code, webauthnChallenge }: NewChallenge,
): Promise<Challenge> {
  return transaction(async (trx) => {
    await trx.updateTable('mfaFactors').set({ lastChallengedAt: new Date() }).where('id', '=', factorId).execute()
    await audit(trx, 'challenge_created', { actorId: user.id, subjectId: user.id, detail: { factorId } })
    const codeHmac = code ? macOf(id, code) : null
    return insert(trx, 'mfaChallenges', { id, factorId, sessionId: session.id, address: visitorKey(address), codeHmac, webauthnChallenge })
  })
}

/** A code, or what an authenticator has made or signed. */
export type Answer = { factorId: string; challengeId: string; code?: string | undefined; key?: KeyAnswer | undefined; address: string }

/**
 * Takes the second step with the code that a challenge asked for. The first time finishes the enrolment. The try is counted, for good, before
 * anything is compared.
 */
export async function answerChallenge(holder: Holder, { factorId, challengeId, code, key, address }: Answer): Promise<OpenSession> {
  const { user } = holder
  const factor = await findFactor(user.id, factorId)
  allowUse(factor)
  if (factor.factorType === 'webauthn' && !key) refuse('validation_failed', { sentence: 'WebAuthn config required' })
  if (factor.factorType !== 'webauthn' && !code) refuse('validation_failed', { sentence: 'Code needs to be non-empty' })
  const challenge = await countTry(holder, factor, challengeId, address)
  await attempt(guesses, user.id)
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

/** One of few tries at a challenge that still stands, or the reason why there is none. */
async function countTry({ session }: Holder, factor: Factor, challengeId: string, address: string): Promise<Challenge> {
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

/** What shows that the code is right; of a time-based one its step, which must not have been used. */
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

/** Uses up challenge and code, and raises the session. Nothing when someone else has used one of them at the same moment. */
async function pass(trx: Trx, { user: { id: userId }, session }: Holder, { id }: Factor, challenge: Challenge, proof: Proof) {
  const user = await lockUser(trx, userId)
  // Read again: whoever held the lock before may have finished it.
  const factor = await trx.selectFrom('mfaFactors').selectAll().where('id', '=', id).executeTakeFirst()
  const isFirst = factor?.status === 'unverified'
  // Else who knows the password alone could finish a factor of their own beside the one that keeps them out.
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
  return raiseSession(trx, user, session.id, methods[factor.factorType], id)
}

const methods = { totp: 'totp', phone: 'mfa/phone', webauthn: 'mfa/webauthn' } as const

async function accept(trx: Trx, factor: Factor, proof: Proof): Promise<boolean> {
  if ('key' in proof && !(await acceptKey(trx, factor, proof.key))) return false
  return useStep(trx, factor.id, 'key' in proof ? undefined : proof.step)
}

/** No code counts twice, and none that is older than one that has counted. */
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
  if (user.email) await post(trx, factorAddedLetter(user.email, { at: new Date().toISOString(), factorType }))
}
