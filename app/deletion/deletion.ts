import { z } from 'zod/mini'

/** Days between the wish and its being done, in which it can be taken back. */
export const GRACE_DAYS = 14

/** Typed by hand, so that nobody does it by a slip: the account's own address, or its number. */
export const deletionWish = z.object({ confirm: z.string('Type what you sign in with.').check(z.trim(), z.maxLength(320)) })

export const pendingDeletion = z.object({ /** Null: nothing will be deleted. */ dueAt: z.nullable(z.string()) })
