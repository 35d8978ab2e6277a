import { audit, by, type Actor } from '#app/auth/users/audit.server.ts'
import { type Trx, transaction } from '#app/platform/database/db.server.ts'
import type { Whose } from './hosted-account.server.ts'
import type { SignOutScope } from '#app/auth/sessions/session.server.ts'

/** Ends sessions here: this one, all others, or all. Tokens that the service still renews for them are refused. */
export async function endHosted(whose: Whose, scope: SignOutScope): Promise<void> {
  await transaction(async (trx) => {
    await knowSession(trx, whose)
    await shut(trx, whose.accountId, scopes[scope](whose.sessionId))
    await audit(trx, 'logout', { actorId: whose.accountId, subjectId: whose.accountId, detail: { scope } })
  })
}

/** Ends one session or all sessions of another account. */
export async function endHostedOf(accountId: string, actor: Actor, sessionId?: string): Promise<void> {
  await transaction(async (trx) => {
    const ended = await shut(trx, accountId, sessionId ? { only: sessionId } : {})
    if (ended) await audit(trx, 'logout', { ...by(actor), subjectId: accountId, detail: { scope: sessionId ? 'one' : 'global' } })
  })
}

const scopes: Record<SignOutScope, (sessionId: string) => { only?: string; but?: string }> = {
  global: () => ({}),
  local: (only) => ({ only }),
  others: (but) => ({ but }),
}

/** Returns whether any session was ended. */
async function shut(trx: Trx, accountId: string, { only, but }: { only?: string; but?: string }): Promise<boolean> {
  let open = trx.updateTable('hostedSessions').set({ endedAt: new Date() }).where('accountId', '=', accountId).where('endedAt', 'is', null)
  if (only) open = open.where('id', '=', only)
  if (but) open = open.where('id', '!=', but)
  return (await open.executeTakeFirst()).numUpdatedRows > 0n
}

/** Stores a session that we have not seen yet, so that its token stays refused after the sign-out. */
async function knowSession(trx: Trx, { accountId, sessionId }: Whose): Promise<void> {
  const known = await trx.selectFrom('hostedAccounts').select('id').where('id', '=', accountId).executeTakeFirst()
  if (!known) return
  await trx
    .insertInto('hostedSessions')
    .values({ id: sessionId, accountId })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}
