import { identityEmail } from '#app/auth/tokens/identity.email.tsx'
import { audit } from '#app/auth/users/audit.server.ts'
import { keepIdentity } from '#app/auth/users/user-identity.server.ts'
import type { User } from '#app/auth/users/user.server.ts'
import { enqueueEmail } from '#app/mail/outbox.server.ts'
import type { Trx } from '#app/platform/database/db.server.ts'

/**
 * Removes the providers that were linked before any address of the account was proven, and notifies the user. A stranger may have linked
 * them, and only a recovery by email proves who owns the address. The user can link them again.
 */
export async function dropUnprovenIdentities(trx: Trx, { id: userId, email }: User): Promise<void> {
  const gone = await trx
    .deleteFrom('identities')
    .where('userId', '=', userId)
    .where('joinedUnproven', '=', true)
    .returning('provider')
    .execute()
  if (gone.length === 0) return
  // The address that was just proven becomes a sign-in method.
  if (email) await keepIdentity(trx, userId, 'email', { email, email_verified: true })
  const left = await trx
    .selectFrom('identities')
    .select('provider')
    .where('userId', '=', userId)
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
  const providers = [...new Set(left.map(({ provider }) => provider))]
  // Read again: the proof may have given a role.
  const { appMetadata } = await trx.selectFrom('users').select('appMetadata').where('id', '=', userId).executeTakeFirstOrThrow()
  const named = JSON.stringify({ ...appMetadata, provider: providers[0], providers })
  await trx.updateTable('users').set({ appMetadata: named }).where('id', '=', userId).execute()
  for (const { provider } of gone) {
    await audit(trx, 'identity_unlinked', { actorId: userId, subjectId: userId, detail: { provider } })
    if (email) await enqueueEmail(trx, identityEmail(email, { at: new Date().toISOString(), provider, isAdded: false }))
  }
}
