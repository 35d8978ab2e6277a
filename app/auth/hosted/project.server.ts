import { env } from '#app/platform/env.server.ts'
import { fetchBounded, FetchFailure, type FetchedResponse } from '#app/platform/http/fetch-bounded.server.ts'
import { log } from '#app/platform/process/log.server.ts'
import { refuse } from '#app/auth/protocol/refusal.ts'
import type { Client } from '#app/auth/sessions/client.ts'
import { PROJECT_URL } from './project-url.server.ts'

const BOUNDS = { ms: 10_000, bytes: 1024 * 1024 }

export type ProjectRequest = {
  method: string
  /** Path and query below PROJECT_URL. */
  path: string
  body?: unknown
  /** The user's access token. */
  token?: string | undefined
  headers?: Record<string, string>
}

/** `body` is the parsed JSON; `undefined` if it was not JSON. */
export type ProjectResponse = { status: number; headers: Headers; body: unknown }

/** The protocol version whose error shape we read. */
const modern = { 'x-supabase-api-version': '2024-01-01' }

/** Calls the hosted service for a visitor and forwards their address, but never cookies. A failure to respond is reported as a retryable outage. */
export async function callProject(
  { method, path, body, token, headers = modern }: ProjectRequest,
  client: Client,
): Promise<ProjectResponse> {
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

/** Calls the hosted service with the secret key, for admin operations. Throws without that key. */
export async function callProjectAsAdmin({
  method,
  path,
  body,
}: Pick<ProjectRequest, 'method' | 'path' | 'body'>): Promise<ProjectResponse> {
  const key = env.SUPABASE_SECRET_KEY ?? refuse('not_admin', { sentence: 'This needs SUPABASE_SECRET_KEY.' })
  const init = {
    method,
    headers: {
      ...modern,
      apikey: key,
      // Older keys are tokens; newer ones are not.
      ...(!key.startsWith('sb_') && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }
  return read(await reach(path, init))
}

async function reach(path: string, init: RequestInit): Promise<FetchedResponse> {
  const url = new URL(`${PROJECT_URL}${path}`)
  // Dots in a path could lead to other services of the project.
  if (!url.pathname.startsWith(`${new URL(PROJECT_URL).pathname}/`)) refuse('not_found')
  try {
    return await fetchBounded(url.href, init, BOUNDS)
  } catch (error) {
    if (!(error instanceof FetchFailure)) throw error
    log.warn({ reason: reasonOf(error) }, 'the hosted auth service did not answer')
    return refuse('unexpected_failure', { sentence: 'The sign-in service does not respond, please try again in a moment', retryAfter: 5 })
  }
}

/** The reason without the URL. */
function reasonOf({ cause, message }: FetchFailure): string {
  return cause instanceof Error ? cause.name : message
}

function read({ status, headers, text }: FetchedResponse): ProjectResponse {
  return { status, headers, body: readJson(text) }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
