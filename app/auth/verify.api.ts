import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { kindsOf, openLink, type Verified, verifyCode, verifyLink } from '#app/confirmation/verification.server.ts'
import { openedLink } from '#app/confirmation/failed-proof.server.ts'
import { isFlowLink } from '#app/one-time-token/flow-link.ts'
import { refusalOf, refuse } from '#app/auth-protocol/refusal.ts'
import { env } from '#app/platform/env.server.ts'
import type { Api } from '#app/platform/http.server.ts'
import { isSameOrigin } from '#app/platform/origin.server.ts'
import { Stop } from '#app/platform/stop.ts'
import type { Visit } from '#app/platform/visit.server.ts'
import { sessionAnswer } from '#app/session/auth-user.ts'
import { toSessionAnswer } from '#app/session/session-answer.server.ts'
import { clientOf } from './bearer.server.ts'
import { readEmail, readPhone, redirectQuery, text, wishedTarget } from './body.server.ts'
import { verifyLimit } from './limits.server.ts'
import { linkPage, linkPagePolicy, type LinkType } from './link-page.server.tsx'
import { rememberSession } from '#app/platform/session-cookie.server.ts'
import { type Remember, goOnWith, isOwnTarget, needsOwnPage, ownPageFor } from './own-target.server.ts'
import { withCode, withError, withMessage } from './redirect-answer.server.ts'
import { redirected, textAnswer } from '#app/platform/answer-schema.ts'

const linkTypes = z.enum(['signup', 'invite', 'recovery', 'magiclink', 'email', 'email_change'])
const types = z.enum([...linkTypes.options, 'sms', 'phone_change'])
const body = z.object({ type: text, token: text, token_hash: text, email: text, phone: text, redirect_to: text })
type Body = z.infer<typeof body>

const HALF = 'Confirmation link accepted. Please proceed to confirm link sent to the other email'
const half = z.object({ code: z.literal('200'), msg: z.string() })

export const verifyApi: Api = async (app) => {
  // The button of the page sends a form.
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string', bodyLimit: 16_384 }, (_request, form, done) =>
    done(null, Object.fromEntries(new URLSearchParams(form.toString()))),
  )

  app.post('/verify', {
    schema: {
      summary: 'Sign in by the link or the code of a letter or a message',
      tags: ['auth'],
      querystring: redirectQuery,
      body,
      response: { 200: z.union([sessionAnswer, half]), 303: redirected },
    },
    // The page has the address of the auth service, which need not be that of the site. No cookie opens anything here.
    config: { limit: verifyLimit, allowForeignOrigin: true },
    async handler({ body, headers, visit }, reply) {
      if (headers['content-type']?.startsWith('application/x-www-form-urlencoded')) return press(body, visit, reply)
      const verified = await verify(body, visit)
      if ('session' in verified) return toSessionAnswer(verified.session)
      return { code: '200' as const, msg: HALF }
    },
  })

  // Programs that look at every link of a letter come here, too: only the button of the page uses anything up.
  app.get('/verify', {
    schema: {
      summary: 'Open the page for the link of a letter',
      tags: ['auth'],
      querystring: z.object({ token: text, token_hash: text, type: text, ...redirectQuery.shape }),
      response: { 200: textAnswer('The page with the button.', 'text/html'), 303: redirected },
    },
    config: { limit: verifyLimit },
    async handler({ query, headers, visit }, reply) {
      const { nonce } = visit
      const token = query.token ?? query.token_hash
      if (!token) refuse('validation_failed', { sentence: 'Verify requires a token' })
      const type = readType(linkTypes, query.type)
      const target = wishedTarget({ query, headers })
      if (!(await openedLink(token, kindsOf[type], clientOf(visit))))
        return reply.redirect(toTarget(target, refusalOf('otp_expired'), token), 303)
      if (!isFlowLink(token) && needsOwnPage(target ?? env.SITE_URL))
        return reply.redirect(ownPageFor(type, token, target ?? env.SITE_URL), 303)
      return reply
        .headers({
          'content-type': 'text/html; charset=utf-8',
          'content-security-policy': linkPagePolicy({ nonce, target }),
          'referrer-policy': 'same-origin',
          'x-robots-tag': 'noindex',
        })
        .send(linkPage({ token, type, target, nonce }))
    },
  })
}

/** The button has been pressed: whatever comes of it, its browser goes on to where the letter was to lead. */
async function press({ type, token, redirect_to: wish }: Body, visit: Visit, reply: FastifyReply) {
  if (!token) refuse('validation_failed', { sentence: 'Verify requires a token' })
  const known = readType(linkTypes, type)
  const target = wishedTarget({ query: { redirect_to: wish }, headers: {} })
  const next = target ?? env.SITE_URL
  const isOwn = isOwnTarget(next) && !isFlowLink(token)
  if (isOwn && needsOwnPage(next)) return reply.redirect(ownPageFor(known, token, next), 303)
  try {
    // Cookies are set: a page of another site could sign its visitor in as somebody else.
    if (isOwn && isSameOrigin(visit.headers) === false) refuse('foreign_origin')
    const verified = await openLink(known, token, { ...clientOf(visit), ...(isOwn && { ownPages: true }) })
    return reply.redirect(await toNext((tokens) => rememberSession(reply, tokens), next, known, token, verified), 303)
  } catch (error) {
    if (error instanceof Stop) return reply.redirect(toTarget(target, error, token), 303)
    throw error
  }
}

async function toNext(remember: Remember, target: string, type: LinkType, token: string, verified: Verified): Promise<string> {
  if ('half' in verified) return withMessage(target, HALF, isFlowLink(token))
  if ('code' in verified) return withCode(target, verified.code)
  return goOnWith(remember, target, await toSessionAnswer(verified.session), type)
}

function toTarget(target: string | undefined, refused: Stop, token: string): string {
  return withError(target ?? env.SITE_URL, refused, isFlowLink(token))
}

async function verify({ type, token, token_hash: link, email, phone }: Body, visit: Visit): Promise<Verified> {
  const known = readType(types, type)
  if (Boolean(token) === Boolean(link)) refuse('validation_failed', { sentence: 'Verify requires either a token or a token hash' })
  if (link) {
    if (email || phone) refuse('validation_failed', { sentence: 'Only the token_hash and type should be provided' })
    return verifyLink(known, link, clientOf(visit))
  }
  if (Boolean(email) === Boolean(phone)) {
    refuse('validation_failed', { sentence: 'Only an email address or phone number should be provided on verify' })
  }
  const isForPhone = known === 'sms' || known === 'phone_change'
  if (isForPhone !== Boolean(phone))
    refuse('validation_failed', { sentence: `Type ${known} needs ${isForPhone ? 'a phone number' : 'an email address'}` })
  const address = phone ? readPhone(phone) : readEmail(email ?? '', 'unprocessable')
  return verifyCode(known, address, token ?? '', clientOf(visit))
}

function readType<Type extends string>(among: z.ZodType<Type>, type: string | undefined): Type {
  if (!type) refuse('validation_failed', { sentence: 'Verify requires a verification type' })
  const read = among.safeParse(type)
  if (!read.success) refuse('validation_failed', { sentence: 'Invalid verification type' })
  return read.data
}
