import { findUser, lockIfThere } from '#app/identity/user.server.ts'
import { useLink } from '#app/one-time-token/one-time-token.server.ts'
import { roleOf } from '#app/identity/role.ts'
import { checkNewPassword, leastLength } from '#app/password/password.server.ts'
import { listLiveKeys } from '#app/identity/user-keys.server.ts'
import { db, transaction } from '#app/platform/db.server.ts'
import { hashNewPassword, keepNewPassword } from '#app/session/new-password.server.ts'
import type { Client } from '#app/session/client.ts'
import { linkNote, openedLink } from './failed-proof.server.ts'
import { proveAddress } from './proof.server.ts'

/** The emails whose links let one choose a password: for a forgotten one, and for the first one of someone who was invited or asked for the email again. */
const letters = ['recovery', 'confirmation', 'address'] as const

/**
 * Sets a new password with the link of a recovery letter, which is used up only when the password is accepted. Answers whether the link
 * was good. The API keys are revoked unless `revokesKeys` is false. Who has it reads the account's mail, so the address is proven with it, and whatever else had been got ready before opens nothing.
 */
export async function recoverPassword(link: string, password: string, client: Client, { revokesKeys = true } = {}): Promise<boolean> {
  const known = await openedLink(link, letters, client)
  const holder = known && (await findUser(known.userId))
  if (!holder) return false
  await checkNewPassword(password, roleOf(holder.appMetadata), holder)
  const fresh = await hashNewPassword(password)
  const isDone = await transaction(async (trx) => {
    const token = await useLink(trx, link, letters)
    const user = token && (await lockIfThere(trx, token.userId))
    if (!user) return false
    // The password is theirs who chooses it now, so the profile of a sign-up that they did not use is not installed either.
    await proveAddress(trx, user, token, { installs: false })
    await keepNewPassword(trx, user, fresh, { keepSession: undefined, revokesKeys })
    return true
  })
  if (!isDone) linkNote(link, client)({ reason: 'otp_expired', userId: holder.id })
  return isDone
}

export type Recovery = { leastLength: number; isFirst: boolean; keys: number }

/** What the page of a recovery link needs to know; nothing when the link does not work. `keys` counts the API keys that work. */
export async function findRecovery(link: string, client: Client): Promise<Recovery | undefined> {
  const token = await openedLink(link, letters, client)
  const user = token && (await findUser(token.userId))
  if (!user) return undefined
  const keys = (await listLiveKeys(db, user.id)).length
  return { leastLength: leastLength(roleOf(user.appMetadata)), isFirst: user.passwordHash === null, keys }
}
