import type { Asker } from '#app/account-letter/mail-budget.server.ts'
import { requestAccountLetter } from '#app/confirmation/account-letter.server.ts'
import { Stop } from '#app/platform/stop.ts'
import type { External } from './account.server.ts'
import { type NotEntered, orRefuse } from './entered.server.ts'

/** Like `orRefuse`, for whom another service names with an address: an email to it goes out, and adds their account there once it is followed. */
export async function orConfirm<T extends object>(
  outcome: T | NotEntered,
  { provider, subject, email, data }: External,
  from: Asker,
  target?: string,
): Promise<T> {
  if (outcome === 'provider_email_needs_verification' && email) {
    // A letter that comes too soon after the last one is no other answer: that one is there to be followed.
    const identity = { provider, subject, email, data }
    await requestAccountLetter({ kind: 'confirmation', email, identity, ...(target && { target }) }, from).catch(ignoreRefusal)
  }
  return orRefuse(outcome)
}

function ignoreRefusal(error: unknown) {
  if (!(error instanceof Stop)) throw error
}
