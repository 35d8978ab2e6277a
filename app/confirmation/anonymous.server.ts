import { audit } from '#app/identity/audit.server.ts'
import { createAnonymousUser } from '#app/identity/new-user.server.ts'
import { refuse } from '#app/auth-protocol/refusal.ts'
import type { Metadata } from '#app/identity/user.server.ts'
import { transaction } from '#app/platform/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import type { Client } from '#app/session/client.ts'
import { type OpenSession, startSession } from '#app/session/session.server.ts'

/** Signs someone in without asking who they are. An address that they prove later makes the account last. */
export async function signInAnonymously(data: Metadata, client: Client): Promise<OpenSession> {
  if (!env.EXTERNAL_ANONYMOUS_USERS_ENABLED) refuse('anonymous_provider_disabled')
  return transaction(async (trx) => {
    const user = await createAnonymousUser(trx, data)
    await audit(trx, 'user_signedup', { actorId: user.id, subjectId: user.id, detail: { anonymous: true } })
    return startSession(trx, user, 'anonymous', client)
  })
}
