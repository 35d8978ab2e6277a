import { randomInt } from 'node:crypto'
import { audit } from '#app/identity/audit.server.ts'
import { noteRefusal } from '#app/identity/refused.server.ts'
import { refuse } from '#app/auth-protocol/refusal.ts'
import { lockUser } from '#app/identity/user.server.ts'
import { post } from '#app/mail/outbox.server.ts'
import { type Database, db, newId, transaction, type Trx } from '#app/platform/db.server.ts'
import { mac } from '#app/platform/keys.server.ts'
import { attempt, succeed } from '#app/platform/limits.server.ts'
import { stop } from '#app/platform/stop.ts'
import { raiseSession } from '#app/session/raise.server.ts'
import type { OpenSession } from '#app/session/session.server.ts'
import { hasVerifiedFactor, type Holder } from '#app/session/user-factors.server.ts'
import { guesses } from './guesses.server.ts'
import { recoveryCodeUsedLetter } from './recovery-code-used.email.tsx'

const CODES = 10
const LETTERS = 12
/** Without those that look like others. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789'

/** How many codes still work, and when they were made. */
export async function countRecoveryCodes(userId: string): Promise<{ count: number; madeAt: Date | null }> {
  const codes = await db.selectFrom('recoveryCodes').select(['usedAt', 'createdAt']).where('userId', '=', userId).limit(CODES).execute()
  return { count: codes.filter(({ usedAt }) => usedAt === null).length, madeAt: codes[0]?.createdAt ?? null }
}

/**
 * Makes ten new codes, in place of those before, for a session that has taken the second step. They are shown once: we keep hashes. Before there is
 * a second step there are none, or who knew the password first could lay some by.
 */
export async function makeRecoveryCodes({ user, session }: Holder): Promise<string[]> {
  const codes = Array.from({ length: CODES }, newCode)
  const rows = codes.map((code) => ({ id: newId(), userId: user.id, codeHash: hashOf(user.id, code) }))
  await transaction(async (trx) => {
    await lockUser(trx, user.id)
    if (!(await hasVerifiedFactor(trx, user.id))) stop('conflict', 'Set up two-step sign-in first.', { code: 'mfa_factor_not_found' })
    if (session.aal !== 'aal2') refuse('insufficient_aal')
    await trx.deleteFrom('recoveryCodes').where('userId', '=', user.id).execute()
    await trx.insertInto('recoveryCodes').values(rows).execute()
    await audit(trx, 'recovery_codes_made', { actorId: user.id, subjectId: user.id })
  })
  return codes
}

/** Takes the second step with a code in place of a factor that is lost. It works once, and its holder is told. */
export async function useRecoveryCode({ user, session }: Holder, code: string): Promise<OpenSession> {
  if (session.aal === 'aal2') stop('conflict', 'You have taken the second step already.')
  await attempt(guesses, user.id)
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

async function spend(trx: Trx, holder: Holder, codeHash: Buffer): Promise<OpenSession | undefined> {
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
  if (user.email) await post(trx, recoveryCodeUsedLetter(user.email, { at: new Date().toISOString(), left }))
  return raiseSession(trx, user, holder.session.id, 'recovery_code')
}

async function countLeft(connection: Database | Trx, userId: string): Promise<number> {
  const left = await connection.selectFrom('recoveryCodes').select('id').where('userId', '=', userId).where('usedAt', 'is', null).execute()
  return left.length
}

/** Three groups of four: 59 bits, far beyond guessing where tries are counted. */
function newCode(): string {
  const letters = Array.from({ length: LETTERS }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
  return letters.replace(/(.{4})(?=.)/g, '$1-')
}

function hashOf(userId: string, code: string): Buffer {
  return mac('recovery-code', `${userId}:${code.replaceAll('-', '')}`)
}
