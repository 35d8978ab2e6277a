import { refuse } from '#app/auth/protocol/refusal.ts'
import { breaks } from '#app/platform/database/database-error.ts'
import { transaction, type Trx } from '#app/platform/database/db.server.ts'

/** Runs a transaction that may set an address. If two take the same address at the same moment, the later one is refused. */
export async function takeAddress<T>(work: (trx: Trx) => Promise<T>): Promise<T> {
  try {
    return await transaction(work)
  } catch (error) {
    if (breaks(error, 'users_email_key')) refuse('email_exists')
    if (breaks(error, 'users_phone_key')) refuse('phone_exists')
    throw error
  }
}
