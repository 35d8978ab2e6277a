import { audit } from '#app/auth/users/audit.server.ts'
import { voidTokens } from '#app/auth/tokens/one-time-token.server.ts'
import { isEmailProven, isPhoneProven, isProven } from '#app/auth/users/proven.server.ts'
import { settleProof } from '#app/auth/users/settle-proof.server.ts'
import { keepIdentity, withProvider } from '#app/auth/users/user-identity.server.ts'
import type { User } from '#app/auth/users/user.server.ts'
import { enqueueEmail } from '#app/mail/outbox.server.ts'
import type { Trx } from '#app/platform/database/db.server.ts'
import { emailChangedEmail, phoneChangedEmail } from './address-changed.email.tsx'

/** Marks the email address as proven and voids all other emails to it. Then gives an invited role or the ownership. */
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

/** Marks the phone number as proven and voids all emails and messages of the account. */
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

/** The first proof accepts a pending invitation, also by a message to a phone. */
async function auditProof(trx: Trx, user: User): Promise<void> {
  const isAccepted = user.invitedAt !== null && !isProven(user)
  await audit(trx, isAccepted ? 'invite_accepted' : 'user_confirmed', { actorId: user.id, subjectId: user.id })
}

/** Sets another address, which is proven unless the settings confirmed it. An anonymous account becomes permanent. */
export async function beginEmailChange(trx: Trx, user: User, email: string, { isAssumed = false } = {}): Promise<void> {
  const proven = { email, email_verified: true }
  const columns = { email, emailConfirmedAt: new Date(), emailAssumed: isAssumed, newEmail: null, emailChangeSentAt: null }
  const changed = await change(trx, user, 'email', proven, columns)
  if (user.email && user.email !== email) await enqueueEmail(trx, emailChangedEmail(user.email, { at: new Date().toISOString() }))
  await settleProof(trx, changed)
}

/** The same for a phone number. The account's email address gets a notice. */
export async function changePhone(trx: Trx, user: User, phone: string, { isAssumed = false } = {}): Promise<void> {
  const proven = { phone, phone_verified: true }
  const columns = { phone, phoneConfirmedAt: new Date(), phoneAssumed: isAssumed, newPhone: null, phoneChangeSentAt: null }
  await change(trx, user, 'phone', proven, columns)
  if (user.email && user.phone && user.phone !== phone)
    await enqueueEmail(trx, phoneChangedEmail(user.email, { at: new Date().toISOString() }))
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
