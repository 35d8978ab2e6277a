import { hasOwner } from '#app/auth/users/account.server.ts'
import { mayClaim, ownerRule } from '#app/auth/users/owner.server.ts'
import { roleOf } from '#app/auth/users/role.ts'
import type { User } from '#app/auth/users/user.server.ts'
import type { Client } from '#app/auth/sessions/client.ts'
import { broughtBy } from '#app/auth/tokens/brought.server.ts'
import { isOnlyToken } from '#app/auth/tokens/one-time-token.server.ts'
import type { Database, Trx } from '#app/platform/database/db.server.ts'
import type { Row } from '#db/tables.ts'
import { isFirstProof } from './proof.server.ts'

/** `installs`: sets what the sign-up brought. `proves`: proves the address, and sets only the profile. `asks`: the person has to choose a password first. */
export type SignUpUse = 'installs' | 'proves' | 'asks'

/**
 * What a link or a code does with the password, or the account at another service, of its sign-up. Anyone can sign up with another person's
 * address, and that person can follow any of the emails. So only the browser of the very sign-up continues it. Our pages ask everyone else
 * for a password. A program gets a session without one. It continues its own sign-up only while that is the only open one of an address that
 * gains no rights.
 */
export async function useOf(connection: Database | Trx, user: User, token: Row<'oneTimeTokens'>, client: Client): Promise<SignUpUse> {
  const brought = token.kind === 'confirmation' ? broughtBy(token) : undefined
  const own = token.sentTo === user.phone ? 'phone' : 'email'
  if (!(brought?.passwordHash || brought?.identity) || !isFirstProof(user, own)) return 'installs'
  if (token.signUp === client.signUpBrowser) return 'installs'
  const isTrusted = brought.by === 'administrator' || (brought.by === 'program' && !(await gainsRights(connection, user)))
  if (isTrusted && !client.ownPages && (await isOnlyToken(connection, token))) return 'installs'
  return client.ownPages ? 'asks' : 'proves'
}

/** Whether an address has a role, or its proof gives one: that of an invitation, or the ownership. */
async function gainsRights(connection: Database | Trx, user: User): Promise<boolean> {
  if (user.invitedRole || roleOf(user.appMetadata) !== 'customer') return true
  if (!user.email || !mayClaim(user, ownerRule)) return false
  return ownerRule.ownerEmail !== undefined || !(await hasOwner(connection))
}
