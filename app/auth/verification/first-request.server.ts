import type { User } from '#app/auth/users/user.server.ts'
import { accountKey } from '#app/mail/budget.server.ts'
import { isWithin, type Limit } from '#app/platform/guard/limits.server.ts'

const firsts: Limit = { name: 'first-request', points: 1, seconds: 24 * 3600 }

/**
 * Notes a request for an email to an address. Returns whether it is the only one of a day. Another person's request may have come before the
 * account, and then no row of the database shows that two people want this address.
 */
export function isFirstRequest(email: string): Promise<boolean> {
  return isWithin(firsts, accountKey(email))
}

/** An account that was never sent a confirmation was made by an administrator, so the next request is not the only one for its address. */
export function isMadeForPerson(user: Pick<User, 'confirmationSentAt' | 'emailConfirmedAt'> | undefined): boolean {
  return user !== undefined && user.emailConfirmedAt === null && user.confirmationSentAt === null
}
