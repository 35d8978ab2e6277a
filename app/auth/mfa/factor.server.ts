import { type Actor, audit, by } from '#app/auth/users/audit.server.ts'
import { refuse } from '#app/auth/protocol/refusal.ts'
import { lockUser, type User } from '#app/auth/users/user.server.ts'
import { enqueueEmail } from '#app/mail/outbox.server.ts'
import { db, insert, newId, transaction, type Trx } from '#app/platform/database/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import { requireFreshSignIn } from '#app/auth/sessions/fresh-sign-in.server.ts'
import { lowerSessions } from '#app/auth/sessions/elevate-session.server.ts'
import { type Factor, hasVerifiedFactor, type SessionUser, listFactors } from '#app/auth/sessions/user-factors.server.ts'
import type { FactorType } from './factor-type.ts'
import { factorRemovedEmail } from './factor-removed.email.tsx'
import { makeSecret, type NewSecret } from './totp.server.ts'

/** The next enrolment deletes unfinished ones older than this that have no challenge. */
const UNFINISHED_SECONDS = 300

/** Starts an enrolment with an authenticator app. The secret is returned only here. */
export async function enrolTotp(holder: SessionUser, friendlyName: string, issuer: string): Promise<{ factor: Factor; secret: NewSecret }> {
  const { id: userId, email, phone } = holder.user
  const id = newId()
  const secret = makeSecret(id, issuer, email ?? phone ?? userId)
  const factor = await transaction(async (trx) => {
    await makeRoom(trx, holder, friendlyName)
    return begin(trx, { id, userId, factorType: 'totp', friendlyName, secretSealed: secret.sealed })
  })
  return { factor, secret }
}

/** Starts an enrolment with a phone. It replaces an unfinished enrolment of the same number. */
export async function enrolPhone(holder: SessionUser, friendlyName: string, phone: string): Promise<Factor> {
  const { id: userId } = holder.user
  return transaction(async (trx) => {
    await lockUser(trx, userId)
    await trx.deleteFrom('mfaFactors').where('userId', '=', userId).where('phone', '=', phone).where('status', '=', 'unverified').execute()
    await makeRoom(trx, holder, friendlyName)
    const same = await trx.selectFrom('mfaFactors').select('id').where('userId', '=', userId).where('phone', '=', phone).executeTakeFirst()
    if (same) refuse('mfa_verified_factor_exists')
    return begin(trx, { id: newId(), userId, factorType: 'phone', friendlyName, phone })
  })
}

/** Starts an enrolment with a key. The first challenge creates the key itself. */
export async function enrolKey(holder: SessionUser, friendlyName: string): Promise<Factor> {
  return transaction(async (trx) => {
    await makeRoom(trx, holder, friendlyName)
    return begin(trx, { id: newId(), userId: holder.user.id, factorType: 'webauthn', friendlyName })
  })
}

/** Finds a factor of this user. A factor of another user looks the same as a missing one. */
export async function findFactor(userId: string, id: string): Promise<Factor> {
  const factor = await db.selectFrom('mfaFactors').selectAll().where('id', '=', id).where('userId', '=', userId).executeTakeFirst()
  return factor ?? refuse('mfa_factor_not_found')
}

/** Removes one's own factor. With a verified factor, this needs an `aal2` session. */
export async function unenrol({ user, session }: SessionUser, id: string): Promise<void> {
  await transaction(async (trx) => {
    await lockUser(trx, user.id)
    const factor = await trx.selectFrom('mfaFactors').selectAll().where('id', '=', id).where('userId', '=', user.id).executeTakeFirst()
    if (!factor) refuse('mfa_factor_not_found')
    if (session.aal !== 'aal2' && (await hasVerifiedFactor(trx, user.id))) refuse('insufficient_aal', { kind: 'unprocessable' })
    if (factor.status === 'verified') await requireFreshSignIn(trx, session)
    await removeFactor(trx, user, factor)
  })
}

/** Removes a factor, lowers its sessions and notifies the user. `actor`: an administrator, if not the user. The caller has to lock the user's row. */
export async function removeFactor(trx: Trx, user: User, { id, status, factorType }: Factor, actor?: Actor): Promise<void> {
  await lowerSessions(trx, user.id, id)
  await trx.deleteFrom('mfaFactors').where('id', '=', id).execute()
  const detail = { factorId: id, factorType }
  if (actor) await audit(trx, 'factor_deleted', { ...by(actor), subjectId: user.id, detail })
  else await audit(trx, 'factor_unenrolled', { actorId: user.id, subjectId: user.id, detail })
  if (status === 'unverified') return
  const isLast = !(await hasVerifiedFactor(trx, user.id))
  if (isLast) {
    await lowerSessions(trx, user.id, undefined)
    await trx.deleteFrom('recoveryCodes').where('userId', '=', user.id).execute()
  }
  if (user.email) await enqueueEmail(trx, factorRemovedEmail(user.email, { at: new Date().toISOString(), factorType, isLast }))
}

/** Allows one more enrolment, or refuses it. */
async function makeRoom(trx: Trx, { user, session }: SessionUser, friendlyName: string): Promise<void> {
  await lockUser(trx, user.id)
  await dropUnfinished(trx, user.id)
  const factors = await listFactors(trx, user.id)
  if (factors.some((factor) => (factor.friendlyName ?? '') === friendlyName)) {
    refuse('mfa_factor_name_conflict', { sentence: `A factor with the friendly name "${friendlyName}" for this user already exists` })
  }
  if (factors.length >= env.MFA_MAX_ENROLLED_FACTORS) refuse('too_many_enrolled_mfa_factors')
  if (factors.some(({ status }) => status === 'verified') && session.aal !== 'aal2') refuse('insufficient_aal')
  await requireFreshSignIn(trx, session)
}

async function dropUnfinished(trx: Trx, userId: string): Promise<void> {
  await trx
    .deleteFrom('mfaFactors')
    .where('userId', '=', userId)
    .where('status', '=', 'unverified')
    .where('createdAt', '<', new Date(Date.now() - UNFINISHED_SECONDS * 1000))
    .where((row) => row.not(row.exists(row.selectFrom('mfaChallenges').select('id').whereRef('factorId', '=', 'mfaFactors.id'))))
    .execute()
}

type Begun = { id: string; userId: string; factorType: FactorType; friendlyName: string; phone?: string; secretSealed?: Buffer }

async function begin(trx: Trx, begun: Begun): Promise<Factor> {
  const { id, userId, factorType } = begun
  const factor = await insert(trx, 'mfaFactors', begun)
  await audit(trx, 'factor_in_progress', { actorId: userId, subjectId: userId, detail: { factorId: id, factorType } })
  return factor
}
