import { z } from 'zod/mini'

/**
 * `waiting`: not sent yet, or being sent. `failed`: no more retries; staff may resend it. `expired`: never sent, because its link or code had
 * expired before the mail server accepted it.
 */
export const emailState = z.enum(['waiting', 'failed', 'expired', 'sent'], 'must be waiting, failed, expired or sent')

export type EmailState = z.infer<typeof emailState>

/** Staff see the delivery status of an email, never its content. */
export const emailSummary = z.object({
  id: z.string(),
  kind: z.string(),
  to: z.string(),
  /** Null when this version no longer knows the kind. */
  subject: z.nullable(z.string()),
  state: emailState,
  attempts: z.int(),
  /** Reason of the last failed attempt. */
  reason: z.nullable(z.string()),
  postedAt: z.string(),
  sentAt: z.nullable(z.string()),
  failedAt: z.nullable(z.string()),
  /** Time of the next attempt while it is waiting. */
  nextAttemptAt: z.nullable(z.string()),
})

export type EmailSummary = z.infer<typeof emailSummary>
