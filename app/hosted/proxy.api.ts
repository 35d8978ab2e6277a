import { z } from 'zod'
import { bearerTokenOf, clientOf } from '#app/auth/bearer.server.ts'
import { speakAuth } from '#app/auth/service.server.ts'
import { refuse } from '#app/auth-protocol/refusal.ts'
import type { Api } from '#app/platform/http.server.ts'
import type { Visit } from '#app/platform/visit.server.ts'
import { admit, learn, readOpened } from './admission.server.ts'
import { findHosted, isOut, isShut, type Whose, whoseOf } from './hosted-account.server.ts'
import { endHosted } from './hosted-session.server.ts'
import { type Answer, askProject } from './project.server.ts'
import { PROJECT_URL } from './project-url.server.ts'
import { checkProjectToken } from './project-token.server.ts'
import { countAsked } from './proxy-limits.server.ts'

const PREFIX = '/auth/v1'

const scopes = z.enum(['global', 'local', 'others'])

/**
 * Hands requests of the auth protocol on to the hosted service that keeps the accounts, and its answers back. What it does not do for us is done here:
 * who is banned or signed out here gets nothing from it any more, at once.
 */
export const hostedAuthApi: Api = async (app) => {
  speakAuth(app)
  app.all('/*', { schema: { hide: true } }, async ({ visit, method, url, body }, reply) => {
    const asked = new URL(`http://proxy${url.slice(PREFIX.length)}`)
    // Written in another way than the protocol does, an address would pass by what is looked at here.
    if (method === 'TRACE' || !/^(\/[\w.-]+)+$/.test(asked.pathname)) refuse('not_found')
    // Programs of the operator ask the service itself.
    if (/^\/(admin|invite)(\/|$)/i.test(asked.pathname)) refuse('not_found')
    const grant = asked.searchParams.get('grant_type')
    await countAsked({ method, path: asked.pathname, grant }, visit.address)

    // A browser is on its way to a provider, and the service sets it a cookie to come back with: that has to be the service's own.
    if (method === 'GET' && asked.pathname === '/authorize') return reply.redirect(`${PROJECT_URL}/authorize${asked.search}`, 302)

    const token = bearerTokenOf(visit)
    const whose = token ? await findWhose(token) : undefined
    const isLogout = method === 'POST' && asked.pathname === '/logout'
    if (whose && isLogout) await endHosted(whose, scopes.catch('global').parse(asked.searchParams.get('scope') ?? 'global'))
    if (whose && !isLogout) await refuseOut(whose)

    const path = asked.pathname + asked.search
    const answer = await askProject({ method, path, body, token, headers: passedOn(visit) }, clientOf(visit))
    if (asked.pathname === '/token' && grant === 'refresh_token') refuseUnlessSaid(answer)
    if (answer.status === 200) await takeNote({ method, path: asked.pathname, body }, answer.body, whose, visit)
    reply.status(answer.status).headers(passedBack(answer.headers))
    return reply.send(method === 'HEAD' ? null : bodyOf(answer))
  })
}

/**
 * Clients take any 4xx at a renewal for the end of their session. Only a refusal in the protocol's words is one: too many of us at once, a key of the project that
 * has changed, or a page of something in between are pauses.
 */
function refuseUnlessSaid({ status, body }: Answer): void {
  if (status < 300 || status >= 500) return
  if (![408, 409, 425, 429].includes(status) && said.safeParse(body).success) return
  refuse('unexpected_failure', {
    sentence: 'The sign-in service cannot renew this session now, please try again in a moment',
    retryAfter: 5,
  })
}

/** The code of a refusal, in the newer and in the older shape. */
const said = z.union([z.object({ code: z.string() }), z.object({ error_code: z.string() })])

/** Of a token that was given by the service, even if its time is over. */
async function findWhose(token: string): Promise<Whose | undefined> {
  const checked = await checkProjectToken(token)
  return checked.state === 'invalid' ? undefined : whoseOf(checked.claims)
}

/** The service does not know yet that we have signed someone out or banned them. */
async function refuseOut(whose: Whose): Promise<void> {
  const seen = await findHosted(whose)
  if (!seen || !isOut(seen)) return
  if (isShut(seen.account)) refuse('user_banned', { kind: 'forbidden' })
  refuse('session_not_found')
}

type Asked = { method: string; path: string; body: unknown }

/** What an answer means for what we keep ourselves. */
async function takeNote({ method, path, body }: Asked, answer: unknown, whose: Whose | undefined, visit: Visit): Promise<void> {
  const opened = readOpened(answer)
  if (opened) await admit(opened, clientOf(visit))
  if (!whose) return
  // Whoever has taken away a second step is not asked for it any more: what is left, the service knows.
  if (method === 'DELETE' && path.startsWith('/factors/')) return learnAgain(visit)
  if (path !== '/user') return
  await learn(answer)
  // Like the service, we let nobody but who has changed the password stay.
  if (method === 'PUT' && passwordChange.safeParse(body).success) await endHosted(whose, 'others')
}

async function learnAgain(visit: Visit): Promise<void> {
  const answer = await askProject({ method: 'GET', path: '/user', token: bearerTokenOf(visit) }, clientOf(visit))
  if (answer.status === 200) await learn(answer.body)
}

const passwordChange = z.object({ password: z.string().min(1) })

/** Nothing of a browser but what the protocol knows: no cookies. */
function passedOn({ headers }: Visit): Record<string, string> {
  const names = ['accept', 'x-supabase-api-version', 'x-client-info', 'redirect_to']
  return Object.fromEntries(names.flatMap((name) => (typeof headers[name] === 'string' ? [[name, headers[name]]] : [])))
}

function passedBack(headers: Headers): Record<string, string> {
  const names = ['x-sb-error-code', 'x-supabase-api-version', 'retry-after', 'location']
  return Object.fromEntries(names.flatMap((name) => (headers.has(name) ? [[name, headers.get(name) ?? '']] : [])))
}

/** An answer that is no JSON comes from something in between; clients would not understand it. */
function bodyOf({ status, body }: Answer): unknown {
  if (body !== undefined) return body
  if (status === 204 || (status >= 300 && status < 400)) return null
  return refuse('unexpected_failure', { sentence: 'The sign-in service gave no answer that could be read', retryAfter: 5 })
}
