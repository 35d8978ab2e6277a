import type { Failure } from './auth.ts'

/** What the auth client answers as a value is an exception to those who wait for a success. */
export async function orThrow(work: Promise<{ failure?: Failure }>): Promise<void> {
  const { failure } = await work
  if (failure) throw new Error(failure.message)
}
