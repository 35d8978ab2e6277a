import type { Database, Trx } from '#app/platform/database/db.server.ts'
import { type Actor, audit, by } from './audit.server.ts'

/** An API key as emails show it. */
export type NamedKey = { name: string; prefix: string; lastUsedAt: string | null }

/** API keys that are neither revoked nor expired. */
export async function listLiveKeys(connection: Database | Trx, userId: string): Promise<NamedKey[]> {
  const keys = await liveKeys(connection, userId).select(['name', 'prefix', 'lastUsedAt']).execute()
  return keys.map(({ name, prefix, lastUsedAt }) => ({ name, prefix, lastUsedAt: lastUsedAt?.toISOString() ?? null }))
}

/** Revokes every API key of an account, effective with the next request. Returns those that worked until now. */
export async function revokeKeys(trx: Trx, userId: string, actor: Actor): Promise<NamedKey[]> {
  const named = await listLiveKeys(trx, userId)
  const keys = await liveKeys(trx, userId).select(['id', 'prefix']).forUpdate().execute()
  for (const { id: key, prefix } of keys) {
    await trx.updateTable('apiKeys').set({ revokedAt: new Date() }).where('id', '=', key).execute()
    await audit(trx, 'api_key_revoked', { ...by(actor), subjectId: userId, detail: { key, prefix } })
  }
  return named
}

/** The query of the keys that work, oldest first. Service keys belong to their organization. */
export function liveKeys(connection: Database | Trx, userId: string) {
  return connection
    .selectFrom('apiKeys')
    .where('userId', '=', userId)
    .where('isService', '=', false)
    .where('revokedAt', 'is', null)
    .where((key) => key.or([key('expiresAt', 'is', null), key('expiresAt', '>', new Date())]))
    .orderBy('createdAt')
    .limit(1000)
}
