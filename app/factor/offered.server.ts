import { env, isHosted } from '#app/platform/env.server.ts'
import { servesKeyFactors } from '#app/passkey/relying-party.server.ts'
import { canSendMessages } from '#app/sms/sender.server.ts'

/**
 * Second steps that people can set up, and how many seconds lie between two messages to one phone. A hosted service does not say which it has: its
 * operator says it by the same settings here, and the service sends the messages itself.
 */
export const offeredSteps = {
  totp: env.MFA_TOTP_ENROLL_ENABLED && env.MFA_TOTP_VERIFY_ENABLED,
  phone: env.MFA_PHONE_ENROLL_ENABLED && env.MFA_PHONE_VERIFY_ENABLED && (isHosted || canSendMessages),
  /** Keys belong to the address of this site, which a hosted service does not know. */
  key: !isHosted && servesKeyFactors().enrol && servesKeyFactors().verify,
  pauseSeconds: env.SMS_MAX_FREQUENCY,
}
