import type { Viewer } from '#app/account/viewer.ts'
import { findDeletion } from '#app/deletion/deletion.server.ts'
import { leastLength } from '#app/identity/password.server.ts'
import { findUser, listIdentities } from '#app/identity/user.server.ts'
import { db } from '#app/platform/db.server.ts'
import { stop } from '#app/platform/stop.ts'
import type { OwnAccount } from './account.ts'

/** The account of whoever is signed in, as they see it. */
export async function findAccount({ id, role, avatarUrl }: Viewer): Promise<OwnAccount> {
  const [user, identities, dueAt] = await Promise.all([findUser(id), listIdentities(db, id), findDeletion(id)])
  if (!user) stop('notFound', 'This account is gone.')
  const { userMetadata, newEmail, emailChangeSentAt, passwordHash, createdAt, email, phone } = user
  return {
    email: email ?? '',
    phone: phone ?? '',
    firstName: textOf(userMetadata['first_name']),
    lastName: textOf(userMetadata['last_name']),
    avatarUrl: avatarUrl ?? null,
    role,
    newEmail,
    newEmailSentAt: emailChangeSentAt?.toISOString() ?? null,
    hasPassword: passwordHash !== null,
    leastPasswordLength: leastLength(role),
    identities: identities.map((identity) => ({
      id: identity.id,
      provider: identity.provider,
      email: identity.email,
      lastSignInAt: identity.lastSignInAt?.toISOString() ?? null,
      createdAt: identity.createdAt.toISOString(),
    })),
    createdAt: createdAt.toISOString(),
    deletionDueAt: dueAt?.toISOString() ?? null,
  }
}

/** What people say about themselves can be anything. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
