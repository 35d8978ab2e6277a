import type { Brought } from '#app/auth/tokens/brought.server.ts'
import { issueToken, type TokenKind } from '#app/auth/tokens/one-time-token.server.ts'
import type { User } from '#app/auth/users/user.server.ts'
import type { Trx } from '#app/platform/database/db.server.ts'
import { type FlowMethod, newFlowId, type FlowProof, startFlow } from '#app/auth/sessions/flow-state.server.ts'

type Flow = {
  method: FlowMethod
  proof: FlowProof | undefined
  brought?: Partial<Brought> | undefined
  signUp?: string | undefined
  hasCode?: boolean
}

/** Creates the link and the code of an email. With a `proof`, the link belongs to a flow and works only with its PKCE verifier. */
export async function issueFlowToken(trx: Trx, user: User, kind: TokenKind, sentTo: string, { method, proof, ...options }: Flow) {
  const flow = proof && (await startFlow(trx, { id: newFlowId(), userId: user.id, method, proof }))
  return issueToken(trx, user.id, kind, sentTo, { ...options, flowId: flow?.id })
}
