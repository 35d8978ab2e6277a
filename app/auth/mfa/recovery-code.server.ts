import { randomInt } from 'node:crypto'
import { audit } from '#app/auth/users/audit.server.ts'
import { noteRefusal } from '#app/auth/users/refused.server.ts'
import { refuse } from '#app/auth/protocol/refusal.ts'
import { lockUser } from '#app/auth/users/user.server.ts'
import { enqueueEmail } from '#app/mail/outbox.server.ts'
import { type Database, db, newId, transaction, type Trx } from '#app/platform/database/db.server.ts'
import { mac } from '#app/platform/guard/keys.server.ts'
import { succeed } from '#app/platform/guard/limits.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { elevateSession } from '#app/auth/sessions/elevate-session.server.ts'
import type { OpenSession } from '#app/auth/sessions/session.server.ts'
import { hasVerifiedFactor, type SessionUser } from '#app/auth/sessions/user-factors.server.ts'
import { countGuess, guesses } from './guesses.server.ts'
import { recoveryCodeUsedEmail } from './recovery-code-used.email.tsx'

const CODES = 10
const CODE_LENGTH = 12
/** Without characters that look alike. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789'

/** Counts the unused codes. */
export async function countRecoveryCodes(userId: string): Promise<{ count: number; madeAt: Date | null }> {
  const codes = await db.selectFrom('recoveryCodes').select(['usedAt', 'createdAt']).where('userId', '=', userId).limit(CODES).execute()
  return { count: codes.filter(({ usedAt }) => usedAt === null).length, madeAt: codes[0]?.createdAt ?? null }
}

/**
 * Replaces the recovery codes with ten new ones, which are shown once: we store only hashes. This needs a verified second factor and an
 * `aal2` session, otherwise an attacker with only the password could create codes in advance.
 */
export async function makeRecoveryCodes({ user, session }: SessionUser): Promise<string[]> {
  const codes = Array.from({ length: CODES }, newCode)
  const rows = codes.map((code) => ({ id: newId(), userId: user.id, codeHash: hashOf(user.id, code) }))
  await transaction(async (trx) => {
    await lockUser(trx, user.id)
    if (!(await hasVerifiedFactor(trx, user.id)))
      stop('conflict', 'Set up two-factor authentication first.', { code: 'mfa_factor_not_found' })
    if (session.aal !== 'aal2') refuse('insufficient_aal')
    await trx.deleteFrom('recoveryCodes').where('userId', '=', user.id).execute()
    await trx.insertInto('recoveryCodes').values(rows).execute()
    await audit(trx, 'recovery_codes_made', { actorId: user.id, subjectId: user.id })
  })
  return codes
}

/** Accepts a one-time recovery code in place of a second factor, and notifies the user. */
export async function useRecoveryCode({ user, session }: SessionUser, code: string): Promise<OpenSession> {
  if (session.aal === 'aal2') stop('conflict', 'You have already used your second factor in this session.')
  await countGuess(user.id, session.address ?? '')
  const codeHash = hashOf(user.id, code.toLowerCase().replace(/[\s-]/g, ''))
  const opened = await transaction((trx) => spend(trx, { user, session }, codeHash))
  if (!opened) {
    const detail = { method: 'recovery_code', passed: false }
    noteRefusal({
      action: 'verification_attempted',
      account: user.id,
      actorId: user.id,
      subjectId: user.id,
      address: session.address ?? '',
      detail,
    })
  }
  if (!opened) refuse('mfa_verification_failed', { sentence: 'This recovery code is not valid, or has been used.' })
  await succeed(guesses, user.id)
  return opened
}

async function spend(trx: Trx, holder: SessionUser, codeHash: Buffer): Promise<OpenSession | undefined> {
  const user = await lockUser(trx, holder.user.id)
  const { numUpdatedRows } = await trx
    .updateTable('recoveryCodes')
    .set({ usedAt: new Date() })
    .where('userId', '=', user.id)
    .where('codeHash', '=', codeHash)
    .where('usedAt', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return undefined
  const left = await countLeft(trx, user.id)
  await audit(trx, 'recovery_code_used', { actorId: user.id, subjectId: user.id, detail: { left } })
  if (user.email) await enqueueEmail(trx, recoveryCodeUsedEmail(user.email, { at: new Date().toISOString(), left }))
  return elevateSession(trx, user, holder.session.id, 'recovery_code')
}

async function countLeft(connection: Database | Trx, userId: string): Promise<number> {
  const left = await connection.selectFrom('recoveryCodes').select('id').where('userId', '=', userId).where('usedAt', 'is', null).execute()
  return left.length
}

/** Three groups of four characters have 59 bits, far beyond guessing with limited tries. */
function newCode(): string {
  const characters = Array.from({ length: CODE_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
  return characters.replace(/(.{4})(?=.)/g, '$1-')
}

function hashOf(userId: string, code: string): Buffer {
  return mac('recovery-code', `${userId}:${code.replaceAll('-', '')}`)
}
