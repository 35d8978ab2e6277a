import type { JWTPayload } from 'jose'
import { sql } from 'kysely'
import { createHash } from 'node:crypto'
import { db, newId } from '#app/platform/database/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import { sessionAnswer, type SessionAnswer } from '#app/auth/sessions/auth-user.ts'
import { adminClient } from './admin.ts'
import { startEndpoints } from './app.ts'
import { authClient, bearer, forgetLimits, PASSWORD, signUpAndConfirm, someEmail } from './auth.ts'
import { secretsOf } from './emails.ts'
import { factorClient } from './mfa.ts'
import { messageFor, solanaWallet } from './wallet.ts'

// Requests that the auth service refuses, on the product that the test file starts (startEndpoints).

export const app = await startEndpoints()
export const call = authClient(app)
export const admin = await adminClient(app)
export const { enrol, challenge, verify, begin, finish } = factorClient(app)
export type Reply = Awaited<ReturnType<typeof call>>
export type Case = readonly [status: number, ask: () => Promise<Reply>]

/** The same installation with other settings, for the duration of the request. */
export async function under<T>(settings: Partial<typeof env>, work: () => Promise<T>): Promise<T> {
  const before = { ...env }
  Object.assign(env, settings)
  try {
    return await work()
  } finally {
    Object.assign(env, before)
  }
}

let number = 4_915_120_000_000
export const someNumber = () => String((number += 1))
export const grant = (type: string, body: object, headers = {}) => call('POST', `/token?grant_type=${type}`, body, headers)
export const byPassword = (email: string, password = PASSWORD) => grant('password', { email, password })
export const refresh = (refresh_token: string) => grant('refresh_token', { refresh_token })
export const signed = async (email: string) => sessionAnswer.parse((await byPassword(email)).json())
export const change = (session: SessionAnswer, body: object) => call('PUT', '/user', body, bearer(session))
export const age = () => sql`UPDATE sessions SET created_at = now() - interval '25 hours'`.execute(db)

export async function withSession(ask: (session: SessionAnswer, email: string) => Promise<Reply>) {
  const { session, email } = await signUpAndConfirm(app)
  await forgetLimits()
  return ask(session, email)
}

/** A user with two-factor authentication, in a session that has not passed it. */
export async function withHalf(ask: (session: SessionAnswer, factor: string) => Promise<Reply>) {
  const { session, email } = await signUpAndConfirm(app)
  const { factor } = await finish(session)
  return ask(await signed(email), factor.id)
}

export async function banned() {
  const known = await signUpAndConfirm(app)
  const bannedUntil = new Date(Date.now() + 60_000)
  await db.updateTable('users').set({ bannedUntil }).where('id', '=', known.session.user.id).execute()
  return known
}

const VERIFIER = 'v'.repeat(64)
const proof = { code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'), code_challenge_method: 's256' }

/** The code of a flow, from the link of an email. */
export async function flowCode() {
  const email = someEmail()
  await call('POST', '/signup?redirect_to=https://app.example', { email, password: PASSWORD, ...proof })
  const { link } = await secretsOf(email, 'confirm-address')
  const payload = new URLSearchParams({ token: link, type: 'signup', redirect_to: 'https://app.example' }).toString()
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const reply = await app.inject({ method: 'POST', url: '/auth/v1/verify', headers, payload })
  return new URL(reply.headers.location ?? '').searchParams.get('code') ?? ''
}

export const exchange = (auth_code: string, code_verifier = VERIFIER) => grant('pkce', { auth_code, code_verifier })

/** The state of a return from a provider. */
export async function stateOf() {
  const { headers } = await call('GET', '/authorize?provider=keycloak')
  return { state: new URL(headers.location ?? '').searchParams.get('state'), cookie: cookiesOf(headers['set-cookie']) }
}

const cookiesOf = (set: string | string[] | undefined) =>
  [set ?? []]
    .flat()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')
export const back = async ({ state, cookie }: Awaited<ReturnType<typeof stateOf>>) =>
  call('GET', `/callback?state=${state}`, undefined, { cookie })

/** External services: one signs tokens of a provider, one receives text messages. The test file sets them. */
export const elsewhere = { sign: async (_claims: JWTPayload) => '', codeFor: (_phone: string) => '' }

export const byIdToken = async (claims: JWTPayload, body: object = {}, headers = {}) => {
  const person = { sub: newId(), email: someEmail(), email_verified: true, aud: 'winnow', ...claims }
  return grant('id_token', { provider: 'google', id_token: await elsewhere.sign(person), ...body }, headers)
}

/** A user who has started to enroll a second factor, with an open challenge. */
export async function enrolled(ask: (session: SessionAnswer, factor: { id: string; secret: string }, asked: string) => Promise<Reply>) {
  const { session } = await signUpAndConfirm(app)
  const factor = await begin(session)
  return ask(session, factor, (await challenge(session, factor.id)).json().id)
}

export const removeIdentity = (session: SessionAnswer, id = session.user.identities[0]?.identity_id) =>
  call('DELETE', `/user/identities/${id}`, undefined, bearer(session))

export async function reused() {
  const { session } = await signUpAndConfirm(app)
  const second = (await refresh(session.refresh_token)).json()
  await refresh(second.refresh_token)
  await sql`UPDATE refresh_tokens SET used_at = now() - interval '1 minute' WHERE used_at IS NOT NULL`.execute(db)
  return refresh(session.refresh_token)
}

export async function broken() {
  const { email } = await signUpAndConfirm(app)
  await db.schema.alterTable('sessions').renameTo('elsewhere').execute()
  const reply = await byPassword(email)
  await db.schema.alterTable('elsewhere').renameTo('sessions').execute()
  return reply
}

export async function many(times: number, ask: () => Promise<Reply>): Promise<Reply> {
  for (let time = 1; time < times; time += 1) await ask()
  return ask()
}

/** By a wallet of Solana, whatever chain it names. */
export function byWallet(chain: string, sign?: (message: string) => string) {
  const wallet = solanaWallet()
  const message = messageFor(wallet)
  return grant('web3', { chain, message, signature: (sign ?? wallet.sign)(message) })
}
