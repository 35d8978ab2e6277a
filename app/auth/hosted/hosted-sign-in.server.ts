import type { Metadata } from '#app/auth/users/user.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { env } from '#app/platform/env.server.ts'
import type { SessionTokens } from '#app/platform/http/session-cookie.server.ts'
import type { Source } from '#app/platform/http/source.ts'
import type { Client } from '#app/auth/sessions/client.ts'
import { learn, readOpened, tokensOf } from './admission.server.ts'
import { settle } from './hosted-response.server.ts'
import { whoseOf } from './hosted-account.server.ts'
import { endHosted } from './hosted-session.server.ts'
import { noteHostedSource } from './hosted-source.server.ts'
import { type ProjectResponse, callProject } from './project.server.ts'
import { checkProjectToken } from './project-token.server.ts'

// The hosted service's part of our no-script forms.

export async function signInHosted(email: string, password: string, client: Client): Promise<SessionTokens> {
  const answer = await callProject({ method: 'POST', path: '/token?grant_type=password', body: { email, password } }, client)
  return (await tokensOf(answer, client)) ?? stop('unavailable', 'Failed to get session')
}

/** Creates an account. Returns `undefined` if the address must be confirmed first. */
export async function signUpHosted(
  wanted: { email: string; password: string; data: Metadata },
  source: Source,
  client: Client,
): Promise<SessionTokens | undefined> {
  const answer = await callProject({ method: 'POST', path: pathTo('/signup', '/login/confirm'), body: wanted }, client)
  if (answer.status === 200) await noteHostedSource(answer.body, source)
  return tokensOf(answer, client)
}

export type EmailKind = 'confirmation' | 'recovery' | 'sign-in'

/** The endpoint of each email, and the page that its link leads to. */
const emails: Record<EmailKind, { path: string; page: string; extra: object }> = {
  confirmation: { path: '/resend', page: '/login/confirm', extra: { type: 'signup' } },
  recovery: { path: '/recover', page: '/login/new-password', extra: {} },
  'sign-in': { path: '/otp', page: '/login/link', extra: { create_user: false } },
}

/** Requests an email to an account's address. Hides the service's 422, which would reveal whether the account exists. */
export async function requestHostedEmail(kind: EmailKind, email: string, client: Client): Promise<void> {
  const { path, page, extra } = emails[kind]
  const answer = await callProject({ method: 'POST', path: pathTo(path, page), body: { email, ...extra } }, client)
  if (kind === 'sign-in' && answer.status === 422) return
  settle(answer)
}

/** Signs in with the code from an email. */
export async function signInHostedByCode(email: string, code: string, client: Client): Promise<SessionTokens | undefined> {
  return tokensOf(await callProject({ method: 'POST', path: '/verify', body: { type: 'email', email, token: code } }, client), client)
}

/** Confirms an address with an email link, without a sign-in. Returns whether the link was valid. */
export async function confirmHosted(link: string, client: Client): Promise<boolean> {
  const token = await openLink('email', link, client)
  if (token) await end(token, client)
  return token !== undefined
}

/** Signs in with an email link. */
export async function signInHostedByLink(link: string, client: Client): Promise<SessionTokens | undefined> {
  return tokensOf(await verify('email', link, client), client)
}

/** Confirms one side of an address change, without a sign-in. The service returns a session once both sides are confirmed. */
export async function changeHostedAddress(link: string, client: Client): Promise<'done' | 'half' | undefined> {
  const answer = await verify('email_change', link, client)
  if (answer.status === 403) return undefined
  settle(answer)
  const opened = readOpened(answer.body)
  if (!opened) return 'half'
  await learn(opened.user)
  await end(opened.access_token, client)
  return 'done'
}

/** Sets a new password with an email link. The service uses the link up with the first try. */
export async function recoverHosted(link: string, password: string, client: Client): Promise<boolean> {
  const token = (await openLink('recovery', link, client)) ?? (await openLink('invite', link, client))
  if (!token) return false
  try {
    settle(await callProject({ method: 'PUT', path: '/user', body: { password }, token }, client))
  } finally {
    await end(token, client, 'global')
  }
  return true
}

/** Signs out the browser with these cookies here, and at the service if it responds. */
export async function signOutHosted(
  { access = '', refresh }: { access: string | undefined; refresh: string | undefined },
  client: Client,
): Promise<void> {
  const checked = await checkProjectToken(access)
  if (checked.state === 'valid') return end(access, client)
  if (checked.state === 'expired') await endHosted(whoseOf(checked.claims), 'local')
  const path = '/token?grant_type=refresh_token'
  const renewed = refresh && (await callProject({ method: 'POST', path, body: { refresh_token: refresh } }, client).catch(() => undefined))
  const opened = renewed ? readOpened(renewed.body) : undefined
  if (!opened) return
  await end(opened.access_token, client)
}

/** The token of a link, for one action. It is never given to a browser. */
async function openLink(type: 'email' | 'recovery' | 'invite', link: string, client: Client): Promise<string | undefined> {
  const answer = await verify(type, link, client)
  if (answer.status === 403) return undefined
  settle(answer)
  return readOpened(answer.body)?.access_token
}

function verify(type: 'email' | 'recovery' | 'invite' | 'email_change', link: string, client: Client): Promise<ProjectResponse> {
  return callProject({ method: 'POST', path: '/verify', body: { type, token_hash: link } }, client)
}

/** Ends the session here, and at the service if it responds. */
async function end(token: string, client: Client, scope: 'local' | 'global' = 'local'): Promise<void> {
  const checked = await checkProjectToken(token)
  if (checked.state === 'valid') await endHosted(whoseOf(checked.claims), scope)
  await callProject({ method: 'POST', path: `/logout?scope=${scope}`, token }, client).catch(() => undefined)
}

/** Adds the page that the service's email leads to, if its project allows that page. */
function pathTo(path: string, page: string): string {
  return `${path}?redirect_to=${encodeURIComponent(`${env.SITE_URL}${page}`)}`
}
