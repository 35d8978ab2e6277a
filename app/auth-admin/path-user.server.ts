import { z } from 'zod'
import { refuse } from '#app/auth-protocol/refusal.ts'
import type { User } from '#app/identity/user.server.ts'
import { findAnyUser } from '#app/users/user-pages.server.ts'

/** The user whom a path names. */
export async function pathUser({ id }: { id: string }): Promise<User> {
  return (await findAnyUser(readPathId(id))) ?? refuse('user_not_found', { kind: 'notFound', sentence: 'User not found' })
}

/** An id in a path: one that is none names nothing that is there. */
export function readPathId(id: string): string {
  const known = z.guid().safeParse(id)
  if (!known.success) refuse('validation_failed', { kind: 'notFound', sentence: 'An id in the path must be a UUID' })
  return known.data
}
