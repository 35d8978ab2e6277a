import { accountKey } from '#app/mail/budget.server.ts'
import { isWithin, type Limit } from '#app/platform/limits.server.ts'

const firsts: Limit = { name: 'first-request', points: 1, seconds: 24 * 3600 }

/**
 * Notes a request for an email to an address. Returns whether it is the only one of a day. Another person's request may have come before the
 * account, and then no row of the database shows that two people want this address.
 */
export function isFirstRequest(email: string): Promise<boolean> {
  return isWithin(firsts, accountKey(email))
}
