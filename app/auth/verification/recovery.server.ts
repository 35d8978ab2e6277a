import { findUser, lockIfThere, type Metadata, updateProfile, type User } from '#app/auth/users/user.server.ts'
import { useLink } from '#app/auth/tokens/one-time-token.server.ts'
import { roleOf } from '#app/auth/users/role.ts'
import { checkNewPassword, leastLength } from '#app/auth/sessions/password.server.ts'
import { listLiveKeys } from '#app/auth/users/user-keys.server.ts'
import { db, transaction, type Trx } from '#app/platform/database/db.server.ts'
import { hashNewPassword, keepNewPassword } from '#app/auth/sessions/new-password.server.ts'
import type { Client } from '#app/auth/sessions/client.ts'
import { linkNote, openedLink } from './failed-proof.server.ts'
import { proveAddress } from './proof.server.ts'
import type { Row } from '#db/tables.ts'

/** Emails with a link to choose a password: a recovery, or the first password after an invitation or a repeated confirmation email. */
type Token = Row<'oneTimeTokens'>

const emails = ['recovery', 'confirmation', 'address'] as const

/**
 * Sets a new password by the link of a recovery email. The link is used up only if the password is accepted. Returns whether the link was
 * valid. The link also proves the address, so sign-in methods from before the proof stop working. `profile` is what the reader says of
 * themselves where the page asks for it.
 */
export async function recoverPassword(
  link: string,
  password: string,
  client: Client,
  { revokesKeys = true, profile = {} }: { revokesKeys?: boolean; profile?: Metadata } = {},
): Promise<boolean> {
  const known = await openedLink(link, emails, client)
  const holder = known && (await findUser(known.userId))
  if (!holder) return false
  await checkNewPassword(password, roleAfter(holder), holder)
  const fresh = await hashNewPassword(password)
  const isDone = await transaction(async (trx) => {
    const token = await useLink(trx, link, emails)
    const user = token && (await lockIfThere(trx, token.userId))
    if (!user) return false
    // The user chooses a new password here, so the password and profile of an earlier sign-up are not set.
    const holder = await proveAddress(trx, user, token, 'nothing')
    if (typeof holder === 'string') return false
    if (asksName(token, user)) await nameOwner(trx, holder.id, profile)
    await keepNewPassword(trx, holder, fresh, { keepSession: undefined, revokesKeys, byEmail: true })
    return true
  })
  if (!isDone) linkNote(link, client)({ reason: 'otp_expired', userId: holder.id })
  return isDone
}

/** The role of an invitation is given with this password, so its rule counts. */
const roleAfter = ({ invitedRole, appMetadata }: User) => invitedRole ?? roleOf(appMetadata)

/** The row has changed with the proof. */
async function nameOwner(trx: Trx, id: string, profile: Metadata): Promise<void> {
  const user = Object.keys(profile).length > 0 && (await lockIfThere(trx, id))
  if (user) await updateProfile(trx, user, profile)
}

/** The link is that of a sign-up whose password does not count here, and neither does its profile. */
const isOthersSignUp = ({ kind, broughtSealed }: Token) => kind === 'confirmation' && broughtSealed !== null

const isNamed = ({ first_name: first, last_name: last, full_name: full }: Metadata) =>
  [first, last, full].some((part) => typeof part === 'string' && part.trim() !== '')

/** Whether the account has no name that its owner gave. */
function asksName(token: Token, { passwordHash, userMetadata }: User): boolean {
  return isOthersSignUp(token) || (passwordHash === null && !isNamed(userMetadata))
}

/** `isSignUp`: the link is that of a sign-up whose password does not count here. `email` is where the link was sent. */
export type Recovery = {
  email: string | undefined
  leastLength: number
  isFirst: boolean
  isSignUp: boolean
  asksName: boolean
  keys: number
}

/** Data for the page of a recovery link; nothing if the link is invalid. `keys` counts the valid API keys. */
export async function findRecovery(link: string, client: Client): Promise<Recovery | undefined> {
  const token = await openedLink(link, emails, client)
  const user = token && (await findUser(token.userId))
  if (!user) return undefined
  const keys = (await listLiveKeys(db, user.id)).length
  return {
    email: token.sentTo,
    leastLength: leastLength(roleAfter(user)),
    isFirst: user.passwordHash === null,
    isSignUp: isOthersSignUp(token),
    asksName: asksName(token, user),
    keys,
  }
}
