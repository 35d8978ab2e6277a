import { audit } from '#app/identity/audit.server.ts'
import { voidTokens } from '#app/one-time-token/one-time-token.server.ts'
import { claimOwnership } from '#app/identity/owner.server.ts'
import { keepIdentity, withProvider } from '#app/identity/user-identity.server.ts'
import type { User } from '#app/identity/user.server.ts'
import { post } from '#app/mail/outbox.server.ts'
import type { Trx } from '#app/platform/db.server.ts'
import { emailChangedLetter, phoneChangedLetter } from './address-changed.email.tsx'

/** The number is proven: all letters and messages of the account are void. */
export async function confirmPhone(trx: Trx, user: User): Promise<void> {
  await voidTokens(trx, user.id)
  if (user.phoneConfirmedAt || !user.phone) return
  const now = new Date()
  await trx
    .updateTable('users')
    .set({ phoneConfirmedAt: now, updatedAt: now, userMetadata: JSON.stringify({ ...user.userMetadata, phone_verified: true }) })
    .where('id', '=', user.id)
    .execute()
  await keepIdentity(trx, user.id, 'phone', { phone: user.phone, phone_verified: true })
  await audit(trx, 'user_confirmed', { actorId: user.id, subjectId: user.id })
}

/** Gives an account another address, which is proven. Whoever had none until now is no longer anonymous. */
export async function changeEmail(trx: Trx, user: User, email: string): Promise<void> {
  const proven = { email, email_verified: true }
  const changed = await change(trx, user, 'email', proven, { email, emailConfirmedAt: new Date(), newEmail: null, emailChangeSentAt: null })
  if (user.email && user.email !== email) await post(trx, emailChangedLetter(user.email, { at: new Date().toISOString() }))
  await claimOwnership(trx, changed)
}

/** The same for a phone number; whoever has an e-mail address hears of it there. */
export async function changePhone(trx: Trx, user: User, phone: string): Promise<void> {
  const proven = { phone, phone_verified: true }
  await change(trx, user, 'phone', proven, { phone, phoneConfirmedAt: new Date(), newPhone: null, phoneChangeSentAt: null })
  if (user.email && user.phone && user.phone !== phone) await post(trx, phoneChangedLetter(user.email, { at: new Date().toISOString() }))
}

type Columns = Partial<Pick<User, 'email' | 'emailConfirmedAt' | 'newEmail' | 'emailChangeSentAt'>> &
  Partial<Pick<User, 'phone' | 'phoneConfirmedAt' | 'newPhone' | 'phoneChangeSentAt'>>

async function change(trx: Trx, user: User, provider: 'email' | 'phone', proven: Record<string, unknown>, columns: Columns): Promise<User> {
  await voidTokens(trx, user.id)
  const changed = await trx
    .updateTable('users')
    .set({
      ...columns,
      isAnonymous: false,
      updatedAt: new Date(),
      userMetadata: JSON.stringify({ ...user.userMetadata, ...proven }),
      appMetadata: JSON.stringify(withProvider(user.appMetadata, provider)),
    })
    .where('id', '=', user.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await keepIdentity(trx, user.id, provider, proven)
  await audit(trx, 'user_modified', { actorId: user.id, subjectId: user.id, detail: { changed: provider } })
  return changed
}
