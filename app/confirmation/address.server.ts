import { audit } from '#app/identity/audit.server.ts'
import { voidTokens } from '#app/one-time-token/one-time-token.server.ts'
import { isEmailProven, isPhoneProven, isProven } from '#app/identity/proven.server.ts'
import { settleProof } from '#app/identity/settle-proof.server.ts'
import { keepIdentity, withProvider } from '#app/identity/user-identity.server.ts'
import type { User } from '#app/identity/user.server.ts'
import { post } from '#app/mail/outbox.server.ts'
import type { Trx } from '#app/platform/db.server.ts'
import { emailChangedLetter, phoneChangedLetter } from './address-changed.email.tsx'

/** The address is proven: all other emails to it are void, and what waited for the proof happens. */
export async function confirmEmail(trx: Trx, user: User): Promise<void> {
  await voidTokens(trx, user.id)
  if (!user.email || isEmailProven(user)) return
  const now = new Date()
  const confirmed = await trx
    .updateTable('users')
    .set({
      emailConfirmedAt: user.emailConfirmedAt ?? now,
      emailAssumed: false,
      isAnonymous: false,
      updatedAt: now,
      userMetadata: JSON.stringify({ ...user.userMetadata, email_verified: true }),
    })
    .where('id', '=', user.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await keepIdentity(trx, user.id, 'email', { email: user.email, email_verified: true })
  await auditProof(trx, user)
  await settleProof(trx, confirmed)
}

/** The number is proven: all emails and messages of the account are void. */
export async function confirmPhone(trx: Trx, user: User): Promise<void> {
  await voidTokens(trx, user.id)
  if (!user.phone || isPhoneProven(user)) return
  const now = new Date()
  await trx
    .updateTable('users')
    .set({
      phoneConfirmedAt: user.phoneConfirmedAt ?? now,
      phoneAssumed: false,
      isAnonymous: false,
      updatedAt: now,
      userMetadata: JSON.stringify({ ...user.userMetadata, phone_verified: true }),
    })
    .where('id', '=', user.id)
    .execute()
  await keepIdentity(trx, user.id, 'phone', { phone: user.phone, phone_verified: true })
  await auditProof(trx, user)
}

/** The invitation was an email; who comes in by a message first has accepted it as well. */
async function auditProof(trx: Trx, user: User): Promise<void> {
  const isAccepted = user.invitedAt !== null && !isProven(user)
  await audit(trx, isAccepted ? 'invite_accepted' : 'user_confirmed', { actorId: user.id, subjectId: user.id })
}

/** Gives an account another address, proven unless the settings confirm it. Whoever had none until now is no longer anonymous. */
export async function changeEmail(trx: Trx, user: User, email: string, { isAssumed = false } = {}): Promise<void> {
  const proven = { email, email_verified: true }
  const columns = { email, emailConfirmedAt: new Date(), emailAssumed: isAssumed, newEmail: null, emailChangeSentAt: null }
  const changed = await change(trx, user, 'email', proven, columns)
  if (user.email && user.email !== email) await post(trx, emailChangedLetter(user.email, { at: new Date().toISOString() }))
  await settleProof(trx, changed)
}

/** The same for a phone number; whoever has an e-mail address hears of it there. */
export async function changePhone(trx: Trx, user: User, phone: string, { isAssumed = false } = {}): Promise<void> {
  const proven = { phone, phone_verified: true }
  const columns = { phone, phoneConfirmedAt: new Date(), phoneAssumed: isAssumed, newPhone: null, phoneChangeSentAt: null }
  await change(trx, user, 'phone', proven, columns)
  if (user.email && user.phone && user.phone !== phone) await post(trx, phoneChangedLetter(user.email, { at: new Date().toISOString() }))
}

type Columns = Partial<Pick<User, 'email' | 'emailConfirmedAt' | 'emailAssumed' | 'newEmail' | 'emailChangeSentAt'>> &
  Partial<Pick<User, 'phone' | 'phoneConfirmedAt' | 'phoneAssumed' | 'newPhone' | 'phoneChangeSentAt'>>

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
