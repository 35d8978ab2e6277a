import { isProven } from '#app/auth/users/proven.server.ts'
import type { User } from '#app/auth/users/user.server.ts'
import { type Brought, broughtBy } from '#app/auth/tokens/brought.server.ts'
import { isFollowed, keepFollowed } from '#app/auth/tokens/one-time-token.server.ts'
import { env } from '#app/platform/env.server.ts'
import type { Trx } from '#app/platform/database/db.server.ts'
import type { Row } from '#db/tables.ts'
import { beginEmailChange, changePhone, confirmEmail, confirmPhone } from './address.server.ts'
import { detachAddress, isClaimed } from './detach-address.server.ts'
import { startOver } from './start-over.server.ts'

type Token = Row<'oneTimeTokens'>

/** `profile`: neither the password nor the account at another service. */
type Sets = 'all' | 'profile' | 'nothing'

/**
 * Applies a token that has just been used up: it proves an address or changes the account's address. Returns the account of the address,
 * which can be a new one. `half`: the email to the other address must be confirmed too. `nothing`: the token's purpose no longer applies.
 * `sets`: what a first proof sets of its sign-up.
 */
export async function proveAddress(trx: Trx, user: User, token: Token, sets: Sets = 'all'): Promise<User | 'half' | 'nothing'> {
  if (token.kind === 'phone_change') return applyPhone(trx, user, token)
  if (token.kind === 'email_change_new' || token.kind === 'email_change_current') return applyEmail(trx, user, token)
  const own = token.sentTo === user.phone ? 'phone' : 'email'
  const claimed = isClaimed(user, own)
  if (claimed && env.DISABLE_SIGNUP) return 'nothing'
  const prover = claimed ? await detachAddress(trx, user, own) : user
  const holder = isFirstProof(prover, own) ? await startOver(trx, prover, own, parcelOf(token, sets)) : prover
  await (own === 'email' ? confirmEmail : confirmPhone)(trx, holder)
  return holder
}

/** With a first proof, an earlier user of the account may be another person. */
export function isFirstProof(user: User, own: 'email' | 'phone'): boolean {
  return !isProven(user) || (own === 'email' ? user.emailAssumed : user.phoneAssumed)
}

function parcelOf(token: Token, sets: Sets): Brought | undefined {
  const brought = sets === 'nothing' ? undefined : broughtBy(token)
  if (!brought || brought.typedHash) return undefined
  return sets === 'all' ? brought : { ...brought, passwordHash: null, passwordShort: false, identity: undefined }
}

async function applyPhone(trx: Trx, user: User, { sentTo }: Token): Promise<User | 'nothing'> {
  if (user.newPhone !== sentTo) return 'nothing'
  await changePhone(trx, user, sentTo)
  return user
}

/**
 * The new address has to be proven and, by setting, the old one has to approve, in any order. With auto-confirm, either email is enough.
 */
async function applyEmail(trx: Trx, user: User, token: Token): Promise<User | 'half' | 'nothing'> {
  const { newEmail } = user
  if (!newEmail) return 'nothing'
  const other = token.kind === 'email_change_new' ? 'email_change_current' : 'email_change_new'
  const needsOther = other === 'email_change_new' || (user.email !== null && env.MAILER_SECURE_EMAIL_CHANGE_ENABLED)
  const hasOther = await isFollowed(trx, user.id, other, newEmail)
  if (needsOther && !env.MAILER_AUTOCONFIRM && !hasOther) {
    await keepFollowed(trx, token, newEmail)
    return 'half'
  }
  await beginEmailChange(trx, user, newEmail.toLowerCase(), { isAssumed: token.kind === 'email_change_current' && !hasOther })
  return user
}
