import { notingLimit } from '#app/auth/users/refused.server.ts'
import { attempt, type Patience } from '#app/platform/guard/limits.server.ts'

/** Tries at the second factors of a user, of all kinds together. A new challenge does not reset them: the guesser already knows the password. */
export const guesses: Patience = { name: 'second-step', free: 10, longest: 600, forgottenAfter: 24 * 3600 }

/** Counts a try before the comparison. */
export async function countGuess(userId: string, address: string): Promise<void> {
  const limited = { kind: 'second_step', account: userId, actorId: userId, subjectId: userId, address } as const
  await notingLimit(limited, () => attempt(guesses, userId))
}
