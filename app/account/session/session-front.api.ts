import type { FastifyReply, FastifyRequest } from 'fastify'
import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Api } from '#app/platform/http/http.server.ts'
import { isSameOrigin } from '#app/platform/http/origin.server.ts'
import { forgetSession, REFRESH_COOKIE, rememberSession } from '#app/platform/http/session-cookie.server.ts'
import { refuse } from '#app/auth/protocol/refusal.ts'
import { OWN_PAGES_HEADER } from '#app/auth/protocol/session-header.ts'
import { HELD_BY_SERVER } from './session-front.ts'

/** The session's fields in a response of any service of the protocol. */
const session = z.looseObject({ access_token: z.string().min(1), refresh_token: z.string().min(1) })

const emailWish = z.looseObject({ code_challenge: z.string() })

/** After these errors the session is over, whatever was requested. */
const over = new Set(['session_not_found', 'user_not_found', 'user_banned'])

/**
 * Wraps the auth service for our own pages: stores the refresh token in a cookie that no script can read, and gives the pages a stand-in.
 * Requests of other clients pass unchanged. It only reads and writes bodies, so it can wrap any service of the protocol.
 */
export function addSessionCookieApi(app: Parameters<Api>[0]): void {
  app.addHook('preValidation', async (request) => {
    if (!isFronted(request)) return
    if (request.method !== 'GET' && !isSameOrigin(request.headers)) refuse('foreign_origin')
    forgetProof(request)
    if (isRefresh(request)) request.body = { refresh_token: request.cookies[REFRESH_COOKIE] ?? refuse('refresh_token_not_found') }
  })
  app.addHook('preSerialization', async (request, reply, payload: unknown) => {
    if (!isFronted(request)) return payload
    const answer = session.safeParse(payload)
    if (!answer.success) return payload
    const { access_token: access, refresh_token: refresh } = answer.data
    rememberSession(reply, { access, refresh })
    return { ...answer.data, refresh_token: standInFor(refresh) }
  })
  app.addHook('onSend', async (request, reply, payload) => {
    if (isFronted(request) && isOver(request, reply)) forgetSession(reply)
    return payload
  })
}

function isFronted({ headers }: FastifyRequest): boolean {
  return headers[OWN_PAGES_HEADER] !== undefined
}

function isRefresh(request: FastifyRequest): boolean {
  return isAt(request, '/token') && queryOf(request).get('grant_type') === 'refresh_token'
}

/** Our own emails open in any browser: their links need no PKCE verifier, which only the requesting browser has. */
function forgetProof(request: FastifyRequest) {
  const asked = emailWish.safeParse(request.body)
  if (asked.success && !isAt(request, '/token')) request.body = { ...asked.data, code_challenge: null, code_challenge_method: null }
}

/** Permanently refused, or signed out. A busy service (409, 429, 5xx) says nothing about the session. */
function isOver(request: FastifyRequest, reply: FastifyReply): boolean {
  const code = String(reply.getHeader('x-sb-error-code'))
  if (over.has(code)) return true
  // The request came from another site, not from our pages.
  if (code === 'foreign_origin') return false
  if (isRefresh(request)) return [400, 401, 403, 404].includes(reply.statusCode)
  if (!isAt(request, '/logout') || queryOf(request).get('scope') === 'others') return false
  return [200, 204, 401, 403, 404].includes(reply.statusCode)
}

function isAt({ method, url }: FastifyRequest, path: string): boolean {
  return method === 'POST' && url.split('?', 1)[0]?.endsWith(path) === true
}

function queryOf({ url }: FastifyRequest): URLSearchParams {
  return new URLSearchParams(url.split('?')[1])
}

/** The client detects a new token by comparison: each one has a stand-in of its own, which does not reveal it. */
function standInFor(token: string): string {
  return `${HELD_BY_SERVER}-${createHash('sha256').update(`stand-in:${token}`).digest('base64url').slice(0, 16)}`
}
