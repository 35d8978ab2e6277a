import { audit } from '#app/auth/users/audit.server.ts'
import { createAnonymousUser } from '#app/auth/users/new-user.server.ts'
import { refuse } from '#app/auth/protocol/refusal.ts'
import type { Metadata } from '#app/auth/users/user.server.ts'
import { transaction } from '#app/platform/database/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import type { Client } from '#app/auth/sessions/client.ts'
import { type OpenSession, startSession } from '#app/auth/sessions/session.server.ts'

/** Signs in without an identity. A proven address later makes the account permanent. */
export async function signInAnonymously(data: Metadata, client: Client): Promise<OpenSession> {
  if (!env.EXTERNAL_ANONYMOUS_USERS_ENABLED) refuse('anonymous_provider_disabled')
  return transaction(async (trx) => {
    const user = await createAnonymousUser(trx, data)
    await audit(trx, 'user_signedup', { actorId: user.id, subjectId: user.id, detail: { anonymous: true } })
    return startSession(trx, user, 'anonymous', client)
  })
}
