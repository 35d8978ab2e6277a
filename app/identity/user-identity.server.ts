import { insert, type Trx } from '#app/platform/db.server.ts'

/** Ways to sign in that prove an address of ours. Other providers have names of their own. */
export type OwnProvider = 'email' | 'phone'

/** Merges what is known of a user's own address into its identity, which is made where there is none. */
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

/** What `app_metadata` says once a way to sign in has been added: the first one is the main one. */
export function withProvider(appMetadata: Record<string, unknown>, provider: string): Record<string, unknown> {
  const known: unknown[] = Array.isArray(appMetadata['providers']) ? appMetadata['providers'] : []
  return { ...appMetadata, provider: appMetadata['provider'] ?? provider, providers: [...new Set([...known, provider])] }
}
