import { isProven } from '#app/identity/proven.server.ts'
import type { User } from '#app/identity/user.server.ts'
import { broughtBy } from '#app/one-time-token/brought.server.ts'
import { isFollowed, keepFollowed } from '#app/one-time-token/one-time-token.server.ts'
import { env } from '#app/platform/env.server.ts'
import type { Trx } from '#app/platform/db.server.ts'
import type { Row } from '#db/tables.ts'
import { changeEmail, changePhone, confirmEmail, confirmPhone } from './address.server.ts'
import { startOver } from './start-over.server.ts'

type Token = Row<'oneTimeTokens'>

/**
 * Draws what follows from a token that has just been used up: an address is proven, or the account gets another one. `half`: the email
 * to the other address has to be followed as well. `nothing`: what the token was for is no longer wanted. `installs`: whether a first proof sets
 * the password and the profile that its sign-up brought.
 */
export async function proveAddress(trx: Trx, user: User, token: Token, { installs = true } = {}): Promise<'done' | 'half' | 'nothing'> {
  if (token.kind === 'phone_change') return applyPhone(trx, user, token)
  if (token.kind === 'email_change_new' || token.kind === 'email_change_current') return applyEmail(trx, user, token)
  const own = token.sentTo === user.phone ? 'phone' : 'email'
  const holder = isFirstProof(user, own) ? await startOver(trx, user, own, installs ? broughtBy(token) : undefined) : user
  await (own === 'email' ? confirmEmail : confirmPhone)(trx, holder)
  return 'done'
}

/** Whoever used the account until now need not be the person who has just proven this address. */
function isFirstProof(user: User, own: 'email' | 'phone'): boolean {
  return !isProven(user) || (own === 'email' ? user.emailAssumed : user.phoneAssumed)
}

async function applyPhone(trx: Trx, user: User, { sentTo }: Token) {
  if (user.newPhone !== sentTo) return 'nothing'
  await changePhone(trx, user, sentTo)
  return 'done'
}

/**
 * The new address has to be proven, and the old one to agree where that is wanted; the order does not matter. Where addresses need no
 * confirmation, either email will do.
 */
async function applyEmail(trx: Trx, user: User, token: Token) {
  const { newEmail } = user
  if (!newEmail) return 'nothing'
  const other = token.kind === 'email_change_new' ? 'email_change_current' : 'email_change_new'
  const needsOther = other === 'email_change_new' || (user.email !== null && env.MAILER_SECURE_EMAIL_CHANGE_ENABLED)
  const hasOther = await isFollowed(trx, user.id, other, newEmail)
  if (needsOther && !env.MAILER_AUTOCONFIRM && !hasOther) {
    await keepFollowed(trx, token, newEmail)
    return 'half'
  }
  await changeEmail(trx, user, newEmail.toLowerCase(), { isAssumed: token.kind === 'email_change_current' && !hasOther })
  return 'done'
}
