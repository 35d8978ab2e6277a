import { z } from 'zod'
import type { Asker } from '#app/account-letter/mail-budget.server.ts'
import { refuse } from '#app/auth-protocol/refusal.ts'
import { ask, AskFailure } from '#app/platform/ask.server.ts'
import { env } from '#app/platform/env.server.ts'
import { log } from '#app/platform/log.server.ts'
import type { Visit } from '#app/platform/visit.server.ts'
import { readAdminToken } from '#app/session/admin-token.server.ts'
import { bearerTokenOf } from './bearer.server.ts'
import type { metaSecurity } from './body.server.ts'

const services = {
  hcaptcha: 'https://hcaptcha.com/siteverify',
  turnstile: 'https://challenges.cloudflare.com/turnstile/v0/siteverify',
}
const BOUNDS = { ms: 5000, bytes: 20_000 }
const answer = z.object({ success: z.boolean() })

/** The visitor who asks for an email, with the work that their program did for it, or the captcha that a person solved. */
export function askerOf(security: z.infer<typeof metaSecurity>, { address }: Visit): Asker {
  return { address, proof: env.SECURITY_CAPTCHA_ENABLED ? true : security?.captcha_token }
}

/** Lets a request pass whose sender has solved a captcha, where one is wanted. Nobody is let in because its service does not answer. */
export async function checkCaptcha(security: z.infer<typeof metaSecurity>, visit: Visit): Promise<void> {
  const { SECURITY_CAPTCHA_ENABLED: isWanted, SECURITY_CAPTCHA_PROVIDER: provider, SECURITY_CAPTCHA_SECRET: secret } = env
  if (!isWanted || !provider || !secret) return
  if (await isAdministrator(visit)) return
  const token = security?.captcha_token
  if (!token) refuse('captcha_failed', { sentence: 'captcha protection: request disallowed (no captcha_token found)' })
  if (!(await isSolved(services[provider], new URLSearchParams({ secret, response: token, remoteip: visit.address }))))
    refuse('captcha_failed')
}

/** Programs of the operator solve none. */
async function isAdministrator(visit: Visit): Promise<boolean> {
  const token = bearerTokenOf(visit)
  const read = token && (await readAdminToken(token))
  return typeof read === 'object' && read.isAdmin && read.sessionId === undefined
}

async function isSolved(service: string, body: URLSearchParams): Promise<boolean> {
  try {
    const { text } = await ask(service, { method: 'POST', body }, BOUNDS)
    return answer.parse(JSON.parse(text)).success
  } catch (error) {
    if (!(error instanceof AskFailure || error instanceof SyntaxError || error instanceof z.ZodError)) throw error
    log.warn({ service: new URL(service).host }, 'a captcha could not be checked')
    return false
  }
}
