import { refuse } from '#app/auth/protocol/refusal.ts'
import { transaction, type Trx } from '#app/platform/database/db.server.ts'
import type { Client } from './client.ts'
import { type ProviderTokens, providerTokensOf } from './flow-secrets.server.ts'
import { exchangeCode, type FlowState } from './flow-state.server.ts'
import { isBanned, noteBanned, type OpenSession, startSession } from './session.server.ts'

/** Starts the session of a flow for the client that has its verifier. `tokens` are the provider's; `before` runs first, in the same transaction. */
export async function exchangeForSession(
  code: string,
  verifier: string,
  client: Client,
  before: (trx: Trx, flow: FlowState) => Promise<void>,
): Promise<OpenSession & { tokens: ProviderTokens }> {
  return transaction(async (trx) => {
    const flow = await exchangeCode(trx, code, verifier)
    const { userId, method, provider } = flow
    await before(trx, flow)
    const user = await trx.selectFrom('users').selectAll().where('id', '=', userId).where('deletedAt', 'is', null).executeTakeFirst()
    if (!user) refuse('flow_state_not_found')
    if (isBanned(user)) {
      noteBanned(user, method, client)
      refuse('user_banned')
    }
    return { ...(await startSession(trx, user, method, client, provider ?? 'email')), tokens: providerTokensOf(flow) }
  })
}
