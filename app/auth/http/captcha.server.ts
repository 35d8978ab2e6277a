import { z } from 'zod'
import type { EmailRequester } from '#app/auth/tokens/mail-budget.server.ts'
import { refuse } from '#app/auth/protocol/refusal.ts'
import { fetchBounded, FetchFailure } from '#app/platform/http/fetch-bounded.server.ts'
import { env } from '#app/platform/env.server.ts'
import { log } from '#app/platform/process/log.server.ts'
import { bearerTokenOf, type RequestContext } from '#app/platform/http/request-context.server.ts'
import { readAdminToken } from '#app/auth/sessions/jwt.server.ts'
import type { metaSecurity } from './body.server.ts'

const services = {
  hcaptcha: 'https://hcaptcha.com/siteverify',
  turnstile: 'https://challenges.cloudflare.com/turnstile/v0/siteverify',
}
const BOUNDS = { ms: 5000, bytes: 20_000 }
const answer = z.object({ success: z.boolean() })

/** The email's requester, with their proof of work or a solved captcha. */
export function askerOf(security: z.infer<typeof metaSecurity>, { address }: RequestContext): EmailRequester {
  return { address, proof: env.SECURITY_CAPTCHA_ENABLED ? true : security?.captcha_token }
}

/** Requires a solved captcha where one is configured. Fails closed when the captcha service does not respond. */
export async function checkCaptcha(security: z.infer<typeof metaSecurity>, requestContext: RequestContext): Promise<void> {
  const { SECURITY_CAPTCHA_ENABLED: isWanted, SECURITY_CAPTCHA_PROVIDER: provider, SECURITY_CAPTCHA_SECRET: secret } = env
  if (!isWanted || !provider || !secret) return
  if (await isAdministrator(requestContext)) return
  const token = security?.captcha_token
  if (!token) refuse('captcha_failed', { sentence: 'captcha protection: request disallowed (no captcha_token found)' })
  if (!(await isSolved(services[provider], new URLSearchParams({ secret, response: token, remoteip: requestContext.address }))))
    refuse('captcha_failed')
}

/** Service keys need no captcha. */
async function isAdministrator(requestContext: RequestContext): Promise<boolean> {
  const token = bearerTokenOf(requestContext)
  const read = token && (await readAdminToken(token))
  return typeof read === 'object' && read.isAdmin && read.sessionId === undefined
}

async function isSolved(service: string, body: URLSearchParams): Promise<boolean> {
  try {
    const { text } = await fetchBounded(service, { method: 'POST', body }, BOUNDS)
    return answer.parse(JSON.parse(text)).success
  } catch (error) {
    if (!(error instanceof FetchFailure || error instanceof SyntaxError || error instanceof z.ZodError)) throw error
    log.warn({ service: new URL(service).host }, 'a captcha could not be checked')
    return false
  }
}
