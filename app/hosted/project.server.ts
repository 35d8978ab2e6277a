import { env } from '#app/platform/env.server.ts'
import { ask, AskFailure, type Asked } from '#app/platform/ask.server.ts'
import { log } from '#app/platform/log.server.ts'
import { refuse } from '#app/auth-protocol/refusal.ts'
import type { Client } from '#app/session/client.ts'
import { PROJECT_URL } from './project-url.server.ts'

const BOUNDS = { ms: 10_000, bytes: 1024 * 1024 }

export type Question = {
  method: string
  /** Path and query below the address of the protocol. */
  path: string
  body?: unknown
  /** The access token of the person who asks. */
  token?: string | undefined
  headers?: Record<string, string>
}

/** `body` is the answer as JSON; nothing when it was none. */
export type Answer = { status: number; headers: Headers; body: unknown }

/** The version of the protocol whose shape of errors we read. */
const modern = { 'x-supabase-api-version': '2024-01-01' }

/** Asks the hosted service for a visitor, whose address goes along. Cookies never do. One that does not answer is a pause, not a refusal. */
export async function askProject({ method, path, body, token, headers = modern }: Question, client: Client): Promise<Answer> {
  const init = {
    method,
    redirect: 'manual' as const,
    headers: {
      ...headers,
      apikey: env.SUPABASE_PUBLISHABLE_KEY ?? '',
      'x-forwarded-for': client.address,
      ...(client.userAgent && { 'user-agent': client.userAgent }),
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }
  return read(await reach(path, init))
}

/** The same with the secret key, for what no visitor's token allows. Stops where there is no such key. */
export async function askAsAdmin({ method, path, body }: Pick<Question, 'method' | 'path' | 'body'>): Promise<Answer> {
  const key = env.SUPABASE_SECRET_KEY ?? refuse('not_admin', { sentence: 'This needs SUPABASE_SECRET_KEY.' })
  const init = {
    method,
    headers: {
      ...modern,
      apikey: key,
      // The older kind of key is a token; the newer one is none.
      ...(!key.startsWith('sb_') && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }
  return read(await reach(path, init))
}

async function reach(path: string, init: RequestInit): Promise<Asked> {
  const url = new URL(`${PROJECT_URL}${path}`)
  // Dots in a path could lead to other services of the project.
  if (!url.pathname.startsWith(`${new URL(PROJECT_URL).pathname}/`)) refuse('not_found')
  try {
    return await ask(url.href, init, BOUNDS)
  } catch (error) {
    if (!(error instanceof AskFailure)) throw error
    log.warn({ reason: reasonOf(error) }, 'the hosted auth service did not answer')
    return refuse('unexpected_failure', { sentence: 'The sign-in service does not answer, please try again in a moment', retryAfter: 5 })
  }
}

/** What a network says of itself, without the address that was asked for. */
function reasonOf({ cause, message }: AskFailure): string {
  return cause instanceof Error ? cause.name : message
}

function read({ status, headers, text }: Asked): Answer {
  return { status, headers, body: readJson(text) }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
