import { z } from 'zod'
import { refuse } from '#app/auth/protocol/refusal.ts'
import type { SessionTokens } from '#app/platform/http/session-cookie.server.ts'
import type { Client } from '#app/auth/sessions/client.ts'
import { learn, tokensOf } from './admission.server.ts'
import { settle } from './hosted-response.server.ts'
import { callProject } from './project.server.ts'

const text = z.string().nullish()

const identity = z.object({
  identity_id: z.string(),
  provider: z.string(),
  email: text,
  last_sign_in_at: text,
  created_at: z.string(),
})

const factor = z.object({
  id: z.string(),
  status: z.string(),
  factor_type: z.string(),
  friendly_name: text,
  phone: text,
  created_at: z.string(),
})

const passkeys = z.array(
  z.object({ id: z.string(), friendly_name: text, created_at: z.string(), last_used_at: text, backed_up: z.boolean().nullish() }),
)

const hostedUser = z.object({
  email: text,
  phone: text,
  new_email: text,
  email_change_sent_at: text,
  created_at: z.string(),
  user_metadata: z.record(z.string(), z.unknown()).catch({}),
  identities: z.array(identity).nullish(),
  factors: z.array(factor).nullish(),
})

export type HostedUser = z.infer<typeof hostedUser>

/** The hosted service's data about the token's user. */
export async function findHostedUser(token: string, client: Client): Promise<HostedUser> {
  return readUser(await callProject({ method: 'GET', path: '/user', token }, client))
}

/** The passkeys that the hosted service keeps for the token's user. */
export async function findHostedPasskeys(token: string, client: Client): Promise<z.infer<typeof passkeys>> {
  const answer = await callProject({ method: 'GET', path: '/passkeys', token }, client)
  settle(answer)
  const read = passkeys.safeParse(answer.body)
  return read.success ? read.data : refuse('unexpected_failure')
}

/** Merges the profile by top-level key. `null` removes a key. */
export async function changeHostedProfile(token: string, data: Record<string, string | null>, client: Client): Promise<void> {
  const answer = await callProject({ method: 'PUT', path: '/user', body: { data }, token }, client)
  readUser(answer)
  await learn(answer.body)
}

/** Starts an MFA challenge, which sends the message for a phone factor. Returns the challenge's id. */
export async function callHostedFactor(token: string, factorId: string, client: Client): Promise<string> {
  const asked = await callProject({ method: 'POST', path: `${pathOf(factorId)}/challenge`, body: {}, token }, client)
  settle(asked)
  const challenge = z.object({ id: z.string() }).safeParse(asked.body)
  return challenge.success ? challenge.data.id : refuse('unexpected_failure')
}

/** Completes the MFA challenge with its code. */
export async function answerHostedFactor(
  token: string,
  { factorId, challengeId, code }: { factorId: string; challengeId: string; code: string },
  client: Client,
): Promise<SessionTokens> {
  const body = { challenge_id: challengeId, code }
  const answer = await callProject({ method: 'POST', path: `${pathOf(factorId)}/verify`, body, token }, client)
  return (await tokensOf(answer, client)) ?? refuse('unexpected_failure')
}

function pathOf(factorId: string): string {
  return `/factors/${encodeURIComponent(factorId)}`
}

function readUser(answer: Parameters<typeof settle>[0]): HostedUser {
  settle(answer)
  const read = hostedUser.safeParse(answer.body)
  return read.success ? read.data : refuse('unexpected_failure')
}
