import { createHash, randomUUID, timingSafeEqual } from 'node:crypto'
import { type Database, db, insert, type Trx } from '#app/platform/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import { refuse } from '#app/auth-protocol/refusal.ts'
import type { NewRow, Row } from '#db/tables.ts'

export type FlowState = Row<'flowStates'>
/** How the session will have come about, as its `amr` names it. */
export type FlowMethod = FlowState['method']
/** What a client keeps the key to: who exchanges the code shows that key. */
export type Proof = { challenge: string; method: 's256' | 'plain' }

export type NewFlow = { method: FlowMethod; proof: Proof | undefined } & Pick<
  NewRow<'flowStates'>,
  'id' | 'userId' | 'provider' | 'redirectTo' | 'linkingUserId' | 'secretsSealed'
>

/** The id is shown to other sites, and whoever knows one can go on with it: it is random throughout. */
export function newFlowId(): string {
  return randomUUID()
}

/** Remembers what someone begins and will come back from elsewhere to finish: from a letter, or from another provider. */
export async function startFlow(connection: Database | Trx, { proof, ...flow }: NewFlow): Promise<FlowState> {
  return insert(connection, 'flowStates', {
    ...flow,
    codeChallenge: proof?.challenge ?? null,
    codeChallengeMethod: proof?.method ?? null,
  })
}

/** Takes up a flow that comes back from a provider: who comes with the same one again gets nothing. */
export async function useFlow(id: string): Promise<FlowState | undefined> {
  return db
    .updateTable('flowStates')
    .set({ usedAt: new Date() })
    .where('id', '=', id)
    .where('usedAt', 'is', null)
    .where('createdAt', '>', oldest())
    .returningAll()
    .executeTakeFirst()
}

/** Makes the code that the client gets in its address and exchanges for a session; its time counts from now. */
export async function issueCode(trx: Trx, flowId: string, userId: string): Promise<string> {
  const code = randomUUID()
  await trx
    .updateTable('flowStates')
    .set({ userId, codeHash: hashOf(code), codeIssuedAt: new Date() })
    .where('id', '=', flowId)
    .execute()
  return code
}

/**
 * Ends the flow of a code, for who has its key. A wrong key ends nothing, so its owner may try again. Answers the flow, whose
 * row is gone when the transaction is kept.
 */
export async function exchangeCode(trx: Trx, code: string, verifier: string): Promise<FlowState & { userId: string }> {
  const flow = await trx.selectFrom('flowStates').selectAll().where('codeHash', '=', hashOf(code)).forUpdate().executeTakeFirst()
  if (!flow?.userId || !flow.codeIssuedAt) refuse('flow_state_not_found')
  if (flow.codeIssuedAt < oldest()) refuse('flow_state_expired')
  if (!isKey(verifier, flow)) refuse('bad_code_verifier')
  await trx.deleteFrom('flowStates').where('id', '=', flow.id).execute()
  return { ...flow, userId: flow.userId }
}

function isKey(verifier: string, { codeChallenge, codeChallengeMethod }: FlowState): boolean {
  if (!codeChallenge) return false
  const shown = codeChallengeMethod === 'plain' ? verifier : hashOf(verifier).toString('base64url')
  // Of equal length whatever was sent.
  return timingSafeEqual(hashOf(shown), hashOf(codeChallenge))
}

function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

function oldest(): Date {
  return new Date(Date.now() - env.EXTERNAL_FLOW_STATE_EXPIRY_DURATION * 1000)
}
