import { z } from 'zod'
import { refuse } from '#app/auth/protocol/refusal.ts'
import type { User } from '#app/auth/users/user.server.ts'
import { findAnyUser } from '#app/auth/directory/user-pages.server.ts'

export async function pathUser({ id }: { id: string }): Promise<User> {
  return (await findAnyUser(readPathId(id))) ?? refuse('user_not_found', { kind: 'notFound', sentence: 'User not found' })
}

/** An id in a path. An invalid one is reported as not found. */
export function readPathId(id: string): string {
  const known = z.guid().safeParse(id)
  if (!known.success) refuse('validation_failed', { kind: 'notFound', sentence: 'An id in the path must be a UUID' })
  return known.data
}
