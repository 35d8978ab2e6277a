import { insert, type Trx } from '#app/platform/database/db.server.ts'

/** Sign-in methods by an address that we prove ourselves, without another service. */
export type OwnProvider = 'email' | 'phone'

/** Merges data about a user's own address into its identity, or creates the identity. */
export async function keepIdentity(trx: Trx, userId: string, provider: OwnProvider, data: Record<string, unknown>): Promise<void> {
  const own = await trx
    .selectFrom('identities')
    .selectAll()
    .where('provider', '=', provider)
    .where('providerId', '=', userId)
    .executeTakeFirst()
  const known = own?.identityData ?? { sub: userId, email_verified: false, phone_verified: false }
  const identityData = JSON.stringify({ ...known, ...data })
  const email = provider === 'email' && typeof data['email'] === 'string' ? { email: data['email'] } : {}
  if (!own) {
    await insert(trx, 'identities', { userId, provider, providerId: userId, identityData, ...email, lastSignInAt: new Date() })
    return
  }
  await trx
    .updateTable('identities')
    .set({ identityData, ...email, updatedAt: new Date() })
    .where('id', '=', own.id)
    .execute()
}

/** Sets the providers in `app_metadata` from the user's identities. The main one stays while it is among them; otherwise the oldest is. */
export async function setProviders(trx: Trx, userId: string): Promise<void> {
  const identities = await trx
    .selectFrom('identities')
    .select('provider')
    .where('userId', '=', userId)
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
  const providers = [...new Set(identities.map(({ provider }) => provider))]
  // Read here, because other changes in the same transaction may have given a role.
  const { appMetadata } = await trx.selectFrom('users').select('appMetadata').where('id', '=', userId).executeTakeFirstOrThrow()
  const provider = providers.find((name) => name === appMetadata['provider']) ?? providers[0]
  await trx
    .updateTable('users')
    .set({ appMetadata: JSON.stringify({ ...appMetadata, provider, providers }) })
    .where('id', '=', userId)
    .execute()
}

/** Adds a sign-in method to `app_metadata`. The first one stays the main one. */
export function withProvider(appMetadata: Record<string, unknown>, provider: string): Record<string, unknown> {
  const known: unknown[] = Array.isArray(appMetadata['providers']) ? appMetadata['providers'] : []
  return { ...appMetadata, provider: appMetadata['provider'] ?? provider, providers: [...new Set([...known, provider])] }
}
