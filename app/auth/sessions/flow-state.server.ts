import { createHash, randomUUID, timingSafeEqual } from 'node:crypto'
import { type Database, db, insert, type Trx } from '#app/platform/database/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import { lockIfThere } from '#app/auth/users/user.server.ts'
import { refuse } from '#app/auth/protocol/refusal.ts'
import type { NewRow, Row } from '#db/tables.ts'

export type FlowState = Row<'flowStates'>
/** The sign-in method for the `amr` of the session. */
export type FlowMethod = FlowState['method']
/** The PKCE challenge of a client, which shows the verifier when it exchanges the code. */
export type FlowProof = { challenge: string; method: 's256' | 'plain' }

export type NewFlow = { method: FlowMethod; proof: FlowProof | undefined } & Pick<
  NewRow<'flowStates'>,
  'id' | 'userId' | 'provider' | 'redirectTo' | 'linkingUserId' | 'secretsSealed'
>

/** Fully random: other sites see the id, and knowing one is enough to continue its flow. */
export function newFlowId(): string {
  return randomUUID()
}

/** Stores a flow that the user will finish from an email or from another provider. */
export async function startFlow(connection: Database | Trx, { proof, ...flow }: NewFlow): Promise<FlowState> {
  return insert(connection, 'flowStates', {
    ...flow,
    codeChallenge: proof?.challenge ?? null,
    codeChallengeMethod: proof?.method ?? null,
  })
}

/** Continues a flow that comes back from a provider. Each flow continues once. */
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

/** Makes the code that the client gets in its URL and exchanges for a session. Its life starts now. */
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
 * Ends the flow of a code if the verifier is right. A wrong verifier ends nothing, so the right client can try again. Returns the flow;
 * its row is deleted with the transaction.
 */
export async function exchangeCode(trx: Trx, code: string, verifier: string): Promise<FlowState & { userId: string }> {
  const issued = trx.selectFrom('flowStates').selectAll().where('codeHash', '=', hashOf(code))
  const holder = (await issued.executeTakeFirst())?.userId
  // Lock order: the account before its flow, as everywhere.
  if (holder) await lockIfThere(trx, holder)
  const flow = await issued.forUpdate().executeTakeFirst()
  if (!flow?.userId || !flow.codeIssuedAt) refuse('flow_state_not_found')
  if (flow.codeIssuedAt < oldest()) refuse('flow_state_expired')
  if (!isKey(verifier, flow)) refuse('bad_code_verifier')
  await trx.deleteFrom('flowStates').where('id', '=', flow.id).execute()
  return { ...flow, userId: flow.userId }
}

/** Deletes the unused codes of an account: each of them could still become a session. */
export async function dropIssuedCodes(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom('flowStates').where('userId', '=', userId).where('codeIssuedAt', 'is not', null).execute()
}

function isKey(verifier: string, { codeChallenge, codeChallengeMethod }: FlowState): boolean {
  if (!codeChallenge) return false
  const shown = codeChallengeMethod === 'plain' ? verifier : hashOf(verifier).toString('base64url')
  // Hashed, because both must have the same length.
  return timingSafeEqual(hashOf(shown), hashOf(codeChallenge))
}

function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

function oldest(): Date {
  return new Date(Date.now() - env.EXTERNAL_FLOW_STATE_EXPIRY_DURATION * 1000)
}
