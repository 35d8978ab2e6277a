import { z } from 'zod/mini'
import { bulkChoice } from '#app/platform/tables/bulk-choice.ts'
import { uuid } from '#app/platform/text/uuid.ts'

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

/** The numbers of emails that can be sent again. */
export const unsentEmails = z.object({ failed: z.int(), waiting: z.int() })

export type UnsentEmails = z.infer<typeof unsentEmails>

/** Emails that are sent again: some, or all of a state. */
export const emailChoice = z.object({
  choice: bulkChoice(
    uuid('must be the id of an email'),
    z.strictObject({ state: z.enum(['failed', 'waiting'], 'Only failed and waiting emails are sent again.') }),
  ),
})

export type EmailChoice = z.infer<typeof emailChoice>['choice']

export const queuedEmails = z.object({ queued: z.int() })

export type QueuedEmails = z.infer<typeof queuedEmails>

export type EmailSummary = z.infer<typeof emailSummary>
