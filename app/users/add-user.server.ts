import { refuse } from '#app/auth-protocol/refusal.ts'
import { type Actor, audit, by } from '#app/identity/audit.server.ts'
import { type FirstColumns, insertUser } from '#app/identity/new-user.server.ts'
import { isProven } from '#app/identity/proven.server.ts'
import { roleOf } from '#app/identity/role.ts'
import { settleProof } from '#app/identity/settle-proof.server.ts'
import { keepIdentity } from '#app/identity/user-identity.server.ts'
import type { User } from '#app/identity/user.server.ts'
import { transaction, type Trx } from '#app/platform/db.server.ts'
import { auditFirst } from './audit-change.server.ts'

/** What an administrator may say of a new account. */
export type WantedUser = Omit<FirstColumns, 'confirmationSentAt'>

/** Makes an account for someone else, without a letter. */
export async function addUser(wanted: WantedUser, actor: Actor): Promise<User> {
  return transaction(async (trx) => {
    const user = await makeUser(trx, wanted)
    await audit(trx, 'user_signedup', { ...by(actor), subjectId: user.id, detail: { by: 'administrator' } })
    await auditFirst(trx, user.id, wanted, actor)
    return user
  })
}

/** The account alone. An address that the administrator confirms is proven by their word; a role needs one. */
export async function makeUser(trx: Trx, wanted: WantedUser): Promise<User> {
  const { email, phone } = wanted
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

/** Which of what has to be its own is somebody's already. */
async function refuseTaken(trx: Trx, { email = '', phone = '' }: WantedUser): Promise<never> {
  const holders = await trx
    .selectFrom('users')
    .select(['email', 'phone'])
    .where((row) => row.or([row('email', '=', email), row('phone', '=', phone)]))
    .execute()
  if (holders.some((holder) => email && holder.email?.toLowerCase() === email.toLowerCase())) refuse('email_exists')
  if (holders.some((holder) => phone && holder.phone === phone)) refuse('phone_exists')
  refuse('validation_failed', { kind: 'unprocessable', sentence: 'A user with this id exists already' })
}
