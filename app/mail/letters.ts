import { z } from 'zod/mini'

/** Waiting: not out yet, or being sent. Failed: given up, staff may send it again. */
export const letterState = z.enum(['waiting', 'failed', 'sent'], 'must be waiting, failed or sent')

export type LetterState = z.infer<typeof letterState>

/** What staff see of a letter: where it stands, never what it says. */
export const letterSummary = z.object({
  id: z.string(),
  kind: z.string(),
  to: z.string(),
  /** Null when this version of the product does not know the kind any more. */
  subject: z.nullable(z.string()),
  state: letterState,
  attempts: z.int(),
  /** Why the last attempt failed. */
  reason: z.nullable(z.string()),
  postedAt: z.string(),
  sentAt: z.nullable(z.string()),
  failedAt: z.nullable(z.string()),
  /** When it is tried next, while it waits. */
  nextAttemptAt: z.nullable(z.string()),
})

export type LetterSummary = z.infer<typeof letterSummary>
