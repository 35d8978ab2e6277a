import type { Metadata } from '#app/identity/user.server.ts'
import { stop } from '#app/platform/stop.ts'
import { env } from '#app/platform/env.server.ts'
import type { SessionTokens } from '#app/platform/session-cookie.server.ts'
import type { Client } from '#app/session/client.ts'
import { learn, readOpened, tokensOf } from './admission.server.ts'
import { settle } from './hosted-answer.server.ts'
import { whoseOf } from './hosted-account.server.ts'
import { endHosted } from './hosted-session.server.ts'
import { type Answer, askProject } from './project.server.ts'
import { checkProjectToken } from './project-token.server.ts'

// What our own forms do without script, done by the hosted service.

/** Signs in by password. */
export async function signInHosted(email: string, password: string, client: Client): Promise<SessionTokens> {
  const answer = await askProject({ method: 'POST', path: '/token?grant_type=password', body: { email, password } }, client)
  return (await tokensOf(answer, client)) ?? stop('unavailable', 'Failed to get session')
}

/** Makes an account; nothing is answered where the address has to be confirmed first. */
export async function signUpHosted(
  wanted: { email: string; password: string; data: Metadata },
  client: Client,
): Promise<SessionTokens | undefined> {
  return tokensOf(await askProject({ method: 'POST', path: pathTo('/signup', '/login/confirm'), body: wanted }, client), client)
}

export type LetterKind = 'confirmation' | 'recovery' | 'sign-in'

/** What asks for each letter, and the page that its link should lead to. */
const letters: Record<LetterKind, { path: string; page: string; extra: object }> = {
  confirmation: { path: '/resend', page: '/login/confirm', extra: { type: 'signup' } },
  recovery: { path: '/recover', page: '/login/new-password', extra: {} },
  'sign-in': { path: '/otp', page: '/login/link', extra: { create_user: false } },
}

/** Asks for a letter to the address of an account. Whether there is one is not told: the service's own word for that is kept back. */
export async function requestHostedLetter(kind: LetterKind, email: string, client: Client): Promise<void> {
  const { path, page, extra } = letters[kind]
  const answer = await askProject({ method: 'POST', path: pathTo(path, page), body: { email, ...extra } }, client)
  if (kind === 'sign-in' && answer.status === 422) return
  settle(answer)
}

/** Signs in by the code of a letter. */
export async function signInHostedByCode(email: string, code: string, client: Client): Promise<SessionTokens | undefined> {
  return tokensOf(await askProject({ method: 'POST', path: '/verify', body: { type: 'email', email, token: code } }, client), client)
}

/** Confirms an address by the link of a letter, without signing anyone in. Answers whether the link was good. */
export async function confirmHosted(link: string, client: Client): Promise<boolean> {
  const token = await openLink('email', link, client)
  if (token) await end(token, client)
  return token !== undefined
}

/** Signs in by the link of a letter. */
export async function signInHostedByLink(link: string, client: Client): Promise<SessionTokens | undefined> {
  return tokensOf(await verify('email', link, client), client)
}

/** Confirms one side of a new address. The service answers a session once both are confirmed; nobody is signed in by it. */
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

/** Sets a new password with the link of a letter. The service uses the link up with the first try. */
export async function recoverHosted(link: string, password: string, client: Client): Promise<boolean> {
  const token = (await openLink('recovery', link, client)) ?? (await openLink('invite', link, client))
  if (!token) return false
  try {
    settle(await askProject({ method: 'PUT', path: '/user', body: { password }, token }, client))
  } finally {
    await end(token, client, 'global')
  }
  return true
}

/** Signs out the browser that has these cookies, here at once, and over there as well if it can be reached. */
export async function signOutHosted(
  { access = '', refresh }: { access: string | undefined; refresh: string | undefined },
  client: Client,
): Promise<void> {
  const checked = await checkProjectToken(access)
  if (checked.state === 'valid') return end(access, client)
  if (checked.state === 'expired') await endHosted(whoseOf(checked.claims), 'local')
  const path = '/token?grant_type=refresh_token'
  const renewed = refresh && (await askProject({ method: 'POST', path, body: { refresh_token: refresh } }, client).catch(() => undefined))
  const opened = renewed ? readOpened(renewed.body) : undefined
  if (!opened) return
  await end(opened.access_token, client)
}

/** A token that does what the link allows, and no more: nobody is signed in by it. */
async function openLink(type: 'email' | 'recovery' | 'invite', link: string, client: Client): Promise<string | undefined> {
  const answer = await verify(type, link, client)
  if (answer.status === 403) return undefined
  settle(answer)
  return readOpened(answer.body)?.access_token
}

function verify(type: 'email' | 'recovery' | 'invite' | 'email_change', link: string, client: Client): Promise<Answer> {
  return askProject({ method: 'POST', path: '/verify', body: { type, token_hash: link } }, client)
}

/** Here at once, and over there as well if it can be reached. */
async function end(token: string, client: Client, scope: 'local' | 'global' = 'local'): Promise<void> {
  const checked = await checkProjectToken(token)
  if (checked.state === 'valid') await endHosted(whoseOf(checked.claims), scope)
  await askProject({ method: 'POST', path: `/logout?scope=${scope}`, token }, client).catch(() => undefined)
}

/** Where a letter of the service leads in the end, if its project allows that. */
function pathTo(path: string, page: string): string {
  return `${path}?redirect_to=${encodeURIComponent(`${env.SITE_URL}${page}`)}`
}
