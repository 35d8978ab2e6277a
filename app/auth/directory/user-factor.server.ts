import { removeFactor } from '#app/auth/mfa/factor.server.ts'
import { type Actor, audit, by } from '#app/auth/users/audit.server.ts'
import { refuse } from '#app/auth/protocol/refusal.ts'
import { lockUser } from '#app/auth/users/user.server.ts'
import { breaks } from '#app/platform/database/database-error.ts'
import { transaction } from '#app/platform/database/db.server.ts'
import type { Factor } from '#app/auth/sessions/user-factors.server.ts'

/** Removes a user's second factor and emails them. */
export async function dropFactor(factor: Factor, actor: Actor): Promise<void> {
  await transaction(async (trx) => removeFactor(trx, await lockUser(trx, factor.userId), factor, actor))
}

export type FactorChange = { friendlyName?: string | undefined; phone?: string | undefined }

/** Missing fields are unchanged. Only phone factors have a number. */
export async function changeFactor(factor: Factor, { friendlyName, phone }: FactorChange, actor: Actor): Promise<Factor> {
  if (phone && factor.factorType !== 'phone') refuse('validation_failed', { sentence: 'Only a phone factor has a phone number' })
  try {
    return await transaction(async (trx) => {
      const changed = await trx
        .updateTable('mfaFactors')
        .set({ ...(friendlyName !== undefined && { friendlyName }), ...(phone && { phone }), updatedAt: new Date() })
        .where('id', '=', factor.id)
        .returningAll()
        .executeTakeFirst()
      if (!changed) refuse('mfa_factor_not_found')
      await audit(trx, 'factor_updated', { ...by(actor), subjectId: factor.userId, detail: { factorId: factor.id } })
      return changed
    })
  } catch (error) {
    if (breaks(error, 'mfa_factors_name')) refuse('mfa_factor_name_conflict')
    if (breaks(error, 'mfa_factors_phone')) refuse('mfa_verified_factor_exists')
    throw error
  }
}
