import type { Patience } from '#app/platform/limits.server.ts'

/** Tries at a second step, of every kind together. Who guesses knows the password already, and a new challenge is no new chance. */
export const guesses: Patience = { name: 'second-step', free: 10, longest: 600, forgottenAfter: 24 * 3600 }
