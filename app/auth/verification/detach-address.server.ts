import { audit } from '#app/auth/users/audit.server.ts'
import { createUser } from '#app/auth/users/new-user.server.ts'
import { isEmailProven, isPhoneProven } from '#app/auth/users/proven.server.ts'
import type { OwnProvider } from '#app/auth/users/user-identity.server.ts'
import type { User } from '#app/auth/users/user.server.ts'
import { enqueueEmail } from '#app/mail/outbox.server.ts'
import type { Trx } from '#app/platform/database/db.server.ts'
import { phoneChangedEmail } from './address-changed.email.tsx'
import { nameProviders } from './start-over.server.ts'

/** Whether an address is only auto-confirmed, in an account whose other address is proven. */
export function isClaimed(user: User, own: OwnProvider): boolean {
  return own === 'email' ? user.emailAssumed && isPhoneProven(user) : user.phoneAssumed && isEmailProven(user)
}

/**
 * Moves a claimed address into a new account, for the person who is about to prove it. They may not be the account's user, so neither gets
 * the data of the other. The caller has to lock the user's row.
 */
export async function detachAddress(trx: Trx, user: User, own: OwnProvider): Promise<User> {
  const { id, email, phone } = user
  const { [own]: _address, ...userMetadata } = user.userMetadata
  const gone =
    own === 'email'
      ? { email: null, emailConfirmedAt: null, emailAssumed: false, newEmail: null }
      : { phone: null, phoneConfirmedAt: null, phoneAssumed: false, newPhone: null }
  const left = await trx
    .updateTable('users')
    .set({ ...gone, userMetadata: JSON.stringify({ ...userMetadata, [`${own}_verified`]: false }), updatedAt: new Date() })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await trx.deleteFrom('identities').where('userId', '=', id).where('provider', '=', own).execute()
  await trx
    .deleteFrom('oneTimeTokens')
    .where('userId', '=', id)
    .where('sentTo', '=', (own === 'email' ? email : phone) ?? '')
    .execute()
  await nameProviders(trx, left)
  await audit(trx, 'user_modified', { subjectId: id, detail: { changed: own } })
  if (own === 'phone' && email) await enqueueEmail(trx, phoneChangedEmail(email, { at: new Date().toISOString(), isGone: true }))

  const address = own === 'email' ? { email: email ?? '' } : { phone: phone ?? '' }
  const made = await createUser(trx, { ...address, passwordHash: null, passwordShort: false, data: {}, confirmed: false })
  if (!made) throw new Error('The address has just been freed.')
  await audit(trx, 'user_signedup', { actorId: made.user.id, subjectId: made.user.id })
  return made.user
}
