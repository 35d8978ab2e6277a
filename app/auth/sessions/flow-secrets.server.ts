import { z } from 'zod'
import { seal, unseal } from '#app/platform/guard/keys.server.ts'
import { source } from '#app/platform/http/source.ts'
import type { FlowState } from './flow-state.server.ts'

const PURPOSE = 'flow-secrets'

/** Secrets that finish our own request to a provider. */
const request = z.object({
  verifier: z.string(),
  nonce: z.string(),
  linkingSessionId: z.string().optional(),
  /** The invited address, if an invitation link began this flow. */
  invitedEmail: z.string().optional(),
  /** The source of the account, if this sign-in creates one. */
  cameFrom: z.optional(source),
  /** Hash of a secret in the browser that began this flow. `isBrowser`: only that browser may finish it. */
  browserHash: z.string().default(''),
  isBrowser: z.boolean().default(false),
})
/** Tokens from a provider that the client may use there. */
const given = z.object({ provider_token: z.string().optional(), provider_refresh_token: z.string().optional() })
/** An identity from a provider, to be linked once a client shows the verifier of the flow. */
const awaited = z.object({ awaited: z.unknown().optional() })

export type RequestSecrets = z.infer<typeof request>
export type ProviderTokens = z.infer<typeof given>

export function sealFlowSecrets(flowId: string, secrets: RequestSecrets | (ProviderTokens & { awaited?: unknown })): Buffer {
  return seal(PURPOSE, flowId, JSON.stringify(secrets))
}

export function requestSecretsOf(flow: FlowState): RequestSecrets {
  return request.parse(open(flow))
}

/** Empty for a flow without a provider. */
export function providerTokensOf(flow: FlowState): ProviderTokens {
  return flow.provider ? given.parse(open(flow)) : {}
}

export function awaitedOf(flow: FlowState): unknown {
  return awaited.parse(open(flow)).awaited
}

function open({ id, secretsSealed }: FlowState): unknown {
  return JSON.parse(secretsSealed ? unseal(PURPOSE, id, secretsSealed).toString() : '{}')
}
