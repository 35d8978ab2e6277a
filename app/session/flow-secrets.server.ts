import { z } from 'zod'
import { seal, unseal } from '#app/platform/keys.server.ts'
import type { FlowState } from './flow-state.server.ts'

const PURPOSE = 'flow-secrets'

/** What our own request to a provider has to be finished with. */
const request = z.object({
  verifier: z.string(),
  nonce: z.string(),
  linkingSessionId: z.string().optional(),
  /** The address that was invited, where the link of an invitation began this. */
  invitedEmail: z.string().optional(),
  /** Of what the browser shows that began this; `isBrowser`: nothing but that browser may finish it. */
  browserHash: z.string().default(''),
  isBrowser: z.boolean().default(false),
})
/** What a provider has given that the client may use there. */
const given = z.object({ provider_token: z.string().optional(), provider_refresh_token: z.string().optional() })
/** Whom a provider has named, to be added to an account once someone shows the key of the flow. */
const awaited = z.object({ awaited: z.unknown().optional() })

export type RequestSecrets = z.infer<typeof request>
export type ProviderTokens = z.infer<typeof given>

export function sealFlowSecrets(flowId: string, secrets: RequestSecrets | (ProviderTokens & { awaited?: unknown })): Buffer {
  return seal(PURPOSE, flowId, JSON.stringify(secrets))
}

export function requestSecretsOf(flow: FlowState): RequestSecrets {
  return request.parse(open(flow))
}

/** Nothing for a flow that did not lead to a provider. */
export function providerTokensOf(flow: FlowState): ProviderTokens {
  return flow.provider ? given.parse(open(flow)) : {}
}

export function awaitedOf(flow: FlowState): unknown {
  return awaited.parse(open(flow)).awaited
}

function open({ id, secretsSealed }: FlowState): unknown {
  return JSON.parse(secretsSealed ? unseal(PURPOSE, id, secretsSealed).toString() : '{}')
}
