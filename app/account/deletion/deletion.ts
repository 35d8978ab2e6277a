import { z } from 'zod/mini'

/** Days between the request and the deletion, in which it can be canceled. */
export const GRACE_DAYS = 14

/** Typed by hand to prevent accidents: the account's own address, or its number. */
export const deletionRequest = z.object({
  confirm: z.string('Enter your email address or phone number.').check(z.trim(), z.maxLength(320)),
})

export const DELETION = '/api/account/deletion'

export const pendingDeletion = z.object({
  /** Null: no deletion is pending. */
  dueAt: z.nullable(z.string()),
  /** Why the account cannot be deleted yet, and the page where the person can change that. */
  obstacle: z.optional(z.object({ code: z.string(), sentence: z.string(), path: z.string(), label: z.string() })),
})
