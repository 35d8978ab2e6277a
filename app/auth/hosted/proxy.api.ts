import { z } from 'zod'
import { clientOf } from '#app/auth/http/bearer.server.ts'
import { speakAuth } from '#app/auth/http/service.server.ts'
import { refuse } from '#app/auth/protocol/refusal.ts'
import { REFERRER_HEADER } from '#app/auth/protocol/session-header.ts'
import { type Api, perVisitor } from '#app/platform/http/http.server.ts'
import { bearerTokenOf, type RequestContext } from '#app/platform/http/request-context.server.ts'
import { sourceOf } from '#app/platform/http/source.server.ts'
import { countRenewal } from '#app/auth/http/limits.server.ts'
import {
  magicLinkLimit,
  otpLimit,
  passkeyLimit,
  recoverLimit,
  resendLimit,
  signInLimit,
  signUpLimit,
  userLimit,
  verifyLimit,
} from '#app/auth/http/limits.server.ts'
import { consume, type Limit, visitorKey } from '#app/platform/guard/limits.server.ts'
import { admit, learn, readOpened } from './admission.server.ts'
import { findHosted, isBannedAccount, isOut, type Whose, whoseOf } from './hosted-account.server.ts'
import { endHosted } from './hosted-session.server.ts'
import { noteHostedSource } from './hosted-source.server.ts'
import { callProject, type ProjectResponse } from './project.server.ts'
import { PROJECT_URL } from './project-url.server.ts'
import { checkProjectToken } from './project-token.server.ts'

const PREFIX = '/auth/v1'

const scopes = z.enum(['global', 'local', 'others'])

/** Proxies the auth protocol to the hosted service, and adds our own checks: accounts banned or signed out here are refused. */
export const hostedAuthApi: Api = async (app) => {
  speakAuth(app)
  app.all('/*', { schema: { hide: true }, config: { isBoundElsewhere: true } }, async ({ requestContext, method, url, body }, reply) => {
    const asked = new URL(`http://proxy${url.slice(PREFIX.length)}`)
    // A path in an unusual spelling could bypass the checks below.
    if (method === 'TRACE' || !/^(\/[\w.-]+)+$/.test(asked.pathname)) refuse('not_found')
    // Admin programs call the service directly.
    if (/^\/(admin|invite)(\/|$)/i.test(asked.pathname)) refuse('not_found')
    const grant = asked.searchParams.get('grant_type')
    await countAsked({ method, path: asked.pathname, grant }, requestContext.address)

    // The service sets a cookie for the way back from a provider, so the browser must go to the service's own URL.
    if (method === 'GET' && asked.pathname === '/authorize') return reply.redirect(`${PROJECT_URL}/authorize${asked.search}`, 302)

    const token = bearerTokenOf(requestContext)
    const whose = token ? await findWhose(token) : undefined
    const isLogout = method === 'POST' && asked.pathname === '/logout'
    if (whose && isLogout) await endHosted(whose, scopes.catch('global').parse(asked.searchParams.get('scope') ?? 'global'))
    if (whose && !isLogout) await refuseOut(whose)

    const path = asked.pathname + asked.search
    const answer = await callProject({ method, path, body, token, headers: passedOn(requestContext) }, clientOf(requestContext))
    if (asked.pathname === '/token' && grant === 'refresh_token') refuseUnlessSaid(answer)
    if (answer.status === 200) await takeNote({ method, path: asked.pathname, body }, answer.body, whose, requestContext)
    reply.status(answer.status).headers(passedBack(answer.headers))
    return reply.send(method === 'HEAD' ? null : bodyOf(answer))
  })
}

/**
 * Clients take any 4xx at a renewal for the end of their session. Only a refusal with a protocol code is one.
 * A rate limit on us, a changed project key or a proxy's page is reported as an outage.
 */
function refuseUnlessSaid({ status, body }: ProjectResponse): void {
  if (status < 300 || status >= 500) return
  if (![408, 409, 425, 429].includes(status) && said.safeParse(body).success) return
  refuse('unexpected_failure', {
    sentence: 'The sign-in service cannot renew this session now, please try again in a moment',
    retryAfter: 5,
  })
}

/** A refusal in the newer and in the older shape. */
const said = z.union([z.object({ code: z.string() }), z.object({ error_code: z.string() })])

/** Identifies the account and session of an authentic token, even if it has expired. */
async function findWhose(token: string): Promise<Whose | undefined> {
  const checked = await checkProjectToken(token)
  return checked.state === 'invalid' ? undefined : whoseOf(checked.claims)
}

/** The service does not know our bans and sign-outs, so we check them here. */
async function refuseOut(whose: Whose): Promise<void> {
  const seen = await findHosted(whose)
  if (!seen || !isOut(seen)) return
  if (isBannedAccount(seen.account)) refuse('user_banned', { kind: 'forbidden' })
  refuse('session_not_found')
}

type Asked = { method: string; path: string; body: unknown }

/** Applies a response to our own data. */
async function takeNote(
  { method, path, body }: Asked,
  answer: unknown,
  whose: Whose | undefined,
  requestContext: RequestContext,
): Promise<void> {
  if (method === 'POST' && path === '/signup' && byEmail.safeParse(body).success) await noteSource(answer, requestContext)
  const opened = readOpened(answer)
  if (opened) await admit(opened, clientOf(requestContext))
  if (!whose) return
  // After a factor is removed, reload the remaining ones from the service.
  if (method === 'DELETE' && path.startsWith('/factors/')) return learnAgain(requestContext)
  if (path !== '/user') return
  await learn(answer)
  // Like the service, end all other sessions after a password change.
  if (method === 'PUT' && passwordChange.safeParse(body).success) await endHosted(whose, 'others')
}

const byEmail = z.object({ email: z.string().min(1) })

async function noteSource(answer: unknown, { headers }: RequestContext): Promise<void> {
  await noteHostedSource(answer, sourceOf('sign-up', { referrer: headers[REFERRER_HEADER]?.toString() }, headers))
}

async function learnAgain(requestContext: RequestContext): Promise<void> {
  const answer = await callProject({ method: 'GET', path: '/user', token: bearerTokenOf(requestContext) }, clientOf(requestContext))
  if (answer.status === 200) await learn(answer.body)
}

const passwordChange = z.object({ password: z.string().min(1) })

/** Only headers of the protocol are forwarded, never cookies. */
function passedOn({ headers }: RequestContext): Record<string, string> {
  const names = ['accept', 'x-supabase-api-version', 'x-client-info', 'redirect_to']
  return Object.fromEntries(names.flatMap((name) => (typeof headers[name] === 'string' ? [[name, headers[name]]] : [])))
}

function passedBack(headers: Headers): Record<string, string> {
  const names = ['x-sb-error-code', 'x-supabase-api-version', 'retry-after', 'location']
  return Object.fromEntries(names.flatMap((name) => (headers.has(name) ? [[name, headers.get(name) ?? '']] : [])))
}

/** A response that is not JSON comes from a proxy; clients could not parse it. */
function bodyOf({ status, body }: ProjectResponse): unknown {
  if (body !== undefined) return body
  if (status === 204 || (status >= 300 && status < 400)) return null
  return refuse('unexpected_failure', {
    sentence: 'The sign-in service sent an unreadable response, please try again in a moment',
    retryAfter: 5,
  })
}

/** For endpoints without a limit of their own. */
const anyWrite = perVisitor('hosted-write', 60, '5 minutes')

const limits: Record<string, Limit> = {
  signup: signUpLimit,
  otp: otpLimit,
  magiclink: magicLinkLimit,
  recover: recoverLimit,
  resend: resendLimit,
  verify: verifyLimit,
  user: userLimit,
  passkeys: passkeyLimit,
  token: signInLimit,
  reauthenticate: userLimit,
}

/** Reads are not counted, except those that try a link or send an email. */
const spending = new Set(['verify', 'reauthenticate'])

/** Counts a visitor's requests to the hosted service. It may see all our visitors under one address. */
async function countAsked({ method, path, grant }: { method: string; path: string; grant: string | null }, address: string): Promise<void> {
  const [, name = ''] = path.split('/')
  if (method === 'GET' && !spending.has(name)) return
  // On other paths this parameter means nothing and must not unlock the larger limit.
  if (path === '/token' && grant === 'refresh_token') return countRenewal(address)
  await consume(limits[name] ?? anyWrite, visitorKey(address))
}
