import { z } from 'zod/mini'

/** Days between the request and the deletion, in which it can be canceled. */
export const GRACE_DAYS = 14

/** Typed by hand to prevent accidents: the account's own address, or its number. */
export const deletionRequest = z.object({
  confirm: z.string('Enter your email address or phone number.').check(z.trim(), z.maxLength(320)),
})

export const pendingDeletion = z.object({ /** Null: no deletion is pending. */ dueAt: z.nullable(z.string()) })
