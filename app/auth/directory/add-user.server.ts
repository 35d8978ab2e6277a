import { mayBeNew } from '#app/auth/protocol/email-address.ts'
import { INVALID_EMAIL, refuse } from '#app/auth/protocol/refusal.ts'
import { type Actor, audit, by } from '#app/auth/users/audit.server.ts'
import { type FirstColumns, insertUser } from '#app/auth/users/new-user.server.ts'
import { noteOtherRequest } from '#app/auth/tokens/one-time-token.server.ts'
import { isProven } from '#app/auth/users/proven.server.ts'
import { roleOf } from '#app/auth/users/role.ts'
import { settleProof } from '#app/auth/users/settle-proof.server.ts'
import { keepIdentity } from '#app/auth/users/user-identity.server.ts'
import type { User } from '#app/auth/users/user.server.ts'
import { transaction, type Trx } from '#app/platform/database/db.server.ts'
import { auditFirst } from './audit-change.server.ts'

export type WantedUser = Omit<FirstColumns, 'confirmationSentAt'>

/** Creates an account for someone else, without an email. */
export async function addUser(wanted: WantedUser, actor: Actor): Promise<User> {
  const added = transaction(async (trx) => {
    const user = await makeUser(trx, wanted)
    await audit(trx, 'user_signedup', { ...by(actor), subjectId: user.id, detail: { by: 'administrator' } })
    await auditFirst(trx, user.id, wanted, actor)
    return user
  })
  return added.catch(async (error: unknown) => {
    if (wanted.email) await noteOtherRequest(wanted.email)
    throw error
  })
}

/** Creates only the account. An administrator's confirmation proves an address; a role needs a proven one. */
export async function makeUser(trx: Trx, wanted: WantedUser): Promise<User> {
  const { email, phone } = wanted
  if (email && !mayBeNew(email)) refuse('validation_failed', { sentence: INVALID_EMAIL })
  const verified = {
    ...(email && wanted.emailConfirmed && { email_verified: true }),
    ...(phone && wanted.phoneConfirmed && { phone_verified: true }),
  }
  const userMetadata = { ...wanted.userMetadata, ...verified }
  const made = (await insertUser(trx, { ...wanted, userMetadata })) ?? (await refuseTaken(trx, wanted))
  if (roleOf(made.appMetadata) !== 'customer' && !isProven(made)) refuse('address_not_proven')
  if (email) await keepIdentity(trx, made.id, 'email', { email, email_verified: made.emailConfirmedAt !== null })
  if (phone) await keepIdentity(trx, made.id, 'phone', { phone, phone_verified: made.phoneConfirmedAt !== null })
  return settleProof(trx, made)
}

/** Refuses with the field that another account already has. */
async function refuseTaken(trx: Trx, { email = '', phone = '' }: WantedUser): Promise<never> {
  const holders = await trx
    .selectFrom('users')
    .select(['email', 'phone'])
    .where((row) => row.or([row('email', '=', email), row('phone', '=', phone)]))
    .execute()
  if (holders.some((holder) => email && holder.email?.toLowerCase() === email.toLowerCase())) refuse('email_exists')
  if (holders.some((holder) => phone && holder.phone === phone)) refuse('phone_exists')
  refuse('validation_failed', { kind: 'unprocessable', sentence: 'A user with this id already exists' })
}
