import { insert, newId, type Trx } from '#app/platform/db.server.ts'
import { claimOwnership } from '#app/identity/owner.server.ts'
import { refuse } from '#app/auth-protocol/refusal.ts'
import type { Metadata, User } from '#app/identity/user.server.ts'

/** What an administrator may say of a new account. Phone numbers are digits alone. */
export type WantedUser = {
  id?: string | undefined
  email?: string | undefined
  phone?: string | undefined
  passwordHash?: string | undefined
  passwordShort?: boolean
  emailConfirmed?: boolean
  phoneConfirmed?: boolean
  userMetadata?: Metadata
  appMetadata?: Metadata
  tokenRole?: string | undefined
  bannedUntil?: Date | null
}

/** Makes an account for someone else. What is known of them is what was given, nothing is added. */
export async function makeUser(trx: Trx, wanted: WantedUser): Promise<User> {
  const { id = newId(), email, phone, userMetadata = {}, appMetadata = {}, tokenRole = 'authenticated' } = wanted
  const providers = [...(email ? ['email'] : []), ...(phone ? ['phone'] : [])]
  const now = new Date()
  const made = await trx
    .insertInto('users')
    .values({
      id,
      email: email ?? null,
      phone: phone ?? null,
      passwordHash: wanted.passwordHash ?? null,
      passwordShort: wanted.passwordShort ?? false,
      emailConfirmedAt: email && wanted.emailConfirmed ? now : null,
      phoneConfirmedAt: phone && wanted.phoneConfirmed ? now : null,
      bannedUntil: wanted.bannedUntil ?? null,
      tokenRole,
      appMetadata: JSON.stringify({ ...appMetadata, provider: providers[0], providers }),
      userMetadata: JSON.stringify(userMetadata),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
  if (!made) return refuseTaken(trx, wanted)
  if (email) await addIdentity(trx, made, 'email', { email, email_verified: made.emailConfirmedAt !== null, phone_verified: false })
  if (phone) await addIdentity(trx, made, 'phone', { phone, email_verified: false, phone_verified: made.phoneConfirmedAt !== null })
  const owns = made.emailConfirmedAt !== null && (await claimOwnership(trx, made))
  return owns ? trx.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow() : made
}

/** An identity of an address that someone signs in with; its subject is the user. */
export async function addIdentity(trx: Trx, { id, email }: User, provider: 'email' | 'phone', data: Metadata): Promise<void> {
  const identityData = JSON.stringify({ sub: id, ...data })
  await insert(trx, 'identities', { userId: id, provider, providerId: id, email: provider === 'email' ? email : null, identityData })
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
