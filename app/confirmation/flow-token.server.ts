import type { Brought } from '#app/one-time-token/brought.server.ts'
import { issueToken, type TokenKind } from '#app/one-time-token/one-time-token.server.ts'
import type { User } from '#app/identity/user.server.ts'
import type { Trx } from '#app/platform/db.server.ts'
import { type FlowMethod, newFlowId, type Proof, startFlow } from '#app/session/flow-state.server.ts'

type Flow = { method: FlowMethod; proof: Proof | undefined; brought?: Partial<Brought> | undefined }

/** The secrets of a letter. Where whoever asked for it has a key, its link belongs to a flow and is worth nothing without that key. */
export async function issueFlowToken(trx: Trx, user: User, kind: TokenKind, sentTo: string, { method, proof, ...options }: Flow) {
  const flow = proof && (await startFlow(trx, { id: newFlowId(), userId: user.id, method, proof }))
  return issueToken(trx, user.id, kind, sentTo, { ...options, flowId: flow?.id })
}
