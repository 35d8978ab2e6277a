import type { EmailRequester } from '#app/auth/tokens/mail-budget.server.ts'
import { requestAccountEmail } from '#app/auth/verification/account-email.server.ts'
import { Stop } from '#app/platform/errors/stop.ts'
import type { External } from './account.server.ts'
import { type NotEntered, orRefuse } from './entered.server.ts'

/** `browser`: the key of the sign-up, if this browser can show it later. Without one, a program asked. */
type Manner = { target?: string | undefined; browser?: string | undefined }

/**
 * Like `orRefuse`, but also sends a confirmation email if the provider named an address. Following it in the same browser adds the identity.
 */
export async function orConfirm<T extends object>(
  outcome: T | NotEntered,
  { provider, subject, email, data }: External,
  from: EmailRequester,
  { target, browser }: Manner = {},
): Promise<T> {
  if (outcome === 'provider_email_needs_verification' && email) {
    // If the email is rate-limited, the response stays the same: the earlier email still works.
    const identity = { provider, subject, email, data }
    await requestAccountEmail({ kind: 'confirmation', email, identity, browser, ...(target && { target }) }, from).catch(ignoreRefusal)
  }
  return orRefuse(outcome)
}

function ignoreRefusal(error: unknown) {
  if (!(error instanceof Stop)) throw error
}
