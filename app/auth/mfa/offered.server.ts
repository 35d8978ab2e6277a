import { env, isHosted } from '#app/platform/env.server.ts'
import { servesKeyFactors } from './relying-party.server.ts'
import { canSendMessages } from '#app/mail/sender.server.ts'

/**
 * Second factors that users can set up, and the seconds between two messages to one phone. A hosted service has no way to list its factors, so
 * its operator repeats them in these settings. The service sends the messages itself.
 */
export const offeredFactorTypes = {
  totp: env.MFA_TOTP_ENROLL_ENABLED && env.MFA_TOTP_VERIFY_ENABLED,
  phone: env.MFA_PHONE_ENROLL_ENABLED && env.MFA_PHONE_VERIFY_ENABLED && (isHosted || canSendMessages),
  /** Keys are bound to this site's domain, which a hosted service does not know. */
  key: !isHosted && servesKeyFactors().enrol && servesKeyFactors().verify,
  pauseSeconds: env.SMS_MAX_FREQUENCY,
}
