import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { kindsOf, openLink, type Verified, verifyCode, verifyLink } from '#app/auth/verification/verification.server.ts'
import { openedLink } from '#app/auth/verification/failed-proof.server.ts'
import { isFlowLink } from '#app/auth/tokens/flow-link.ts'
import { refusalOf, refuse } from '#app/auth/protocol/refusal.ts'
import { env } from '#app/platform/env.server.ts'
import type { Api } from '#app/platform/http/http.server.ts'
import { isSameOrigin } from '#app/platform/http/origin.server.ts'
import { Stop } from '#app/platform/errors/stop.ts'
import type { RequestContext } from '#app/platform/http/request-context.server.ts'
import { sessionAnswer } from '#app/auth/sessions/auth-user.ts'
import { toSessionAnswer } from '#app/auth/sessions/session-response.server.ts'
import { clientOf } from '#app/auth/http/bearer.server.ts'
import { clientHere } from '#app/auth/http/sign-up-browser.server.ts'
import { parseEmail, readPhone, redirectQuery, textField, wishedTarget } from '#app/auth/http/body.server.ts'
import { verifyLimit } from '#app/auth/http/limits.server.ts'
import { linkPage, linkPagePolicy, type LinkPageType } from '#app/auth/http/link-page.server.tsx'
import { rememberSession } from '#app/platform/http/session-cookie.server.ts'
import { type Remember, goOnWith, isOwnTarget, needsOwnPage, ownPageFor, passwordPageFor } from '#app/auth/http/own-target.server.ts'
import { withCode, withError, withMessage } from '#app/auth/http/redirect-response.server.ts'
import { redirected, textAnswer } from '#app/platform/http/response-schema.ts'

const linkTypes = z.enum(['signup', 'invite', 'recovery', 'magiclink', 'email', 'email_change'])
const types = z.enum([...linkTypes.options, 'sms', 'phone_change'])
const body = z.object({
  type: textField,
  token: textField,
  token_hash: textField,
  email: textField,
  phone: textField,
  redirect_to: textField,
})
type Body = z.infer<typeof body>

const HALF = 'Confirmation link accepted. Please proceed to confirm link sent to the other email'
const half = z.object({ code: z.literal('200'), msg: z.string() })

export const verifyApi: Api = async (app) => {
  // The page's button submits a form.
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string', bodyLimit: 16_384 }, (_request, form, done) =>
    done(null, Object.fromEntries(new URLSearchParams(form.toString()))),
  )

  app.post('/verify', {
    schema: {
      summary: 'Verify a link or code from an email or text message',
      tags: ['auth'],
      querystring: redirectQuery,
      body,
      response: { 200: z.union([sessionAnswer, half]), 303: redirected },
    },
    // The page is on the auth service's origin, which may differ from the site's. No cookie grants access here.
    config: { limit: verifyLimit, allowForeignOrigin: true },
    async handler({ body, headers, requestContext }, reply) {
      if (headers['content-type']?.startsWith('application/x-www-form-urlencoded')) return press(body, requestContext, reply)
      const verified = await verify(body, requestContext)
      if ('session' in verified) return toSessionAnswer(verified.session)
      if ('asksPassword' in verified) refuse('email_not_confirmed', { sentence: 'Choose a password to finish this sign-up' })
      return { code: '200' as const, msg: HALF }
    },
  })

  // Email scanners open this link too, so only the page's button uses it up.
  app.get('/verify', {
    schema: {
      summary: 'Open the page of an email link',
      tags: ['auth'],
      querystring: z.object({ token: textField, token_hash: textField, type: textField, ...redirectQuery.shape }),
      response: { 200: textAnswer('The page with the button.', 'text/html'), 303: redirected },
    },
    config: { limit: verifyLimit },
    async handler({ query, headers, requestContext }, reply) {
      const { nonce } = requestContext
      const token = query.token ?? query.token_hash
      if (!token) refuse('validation_failed', { sentence: 'Verify requires a token' })
      const type = readType(linkTypes, query.type)
      const target = wishedTarget({ query, headers })
      if (!(await openedLink(token, kindsOf[type], clientOf(requestContext))))
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

/** Handles the button. Success and failure both redirect to the link's target. */
async function press({ type, token, redirect_to: wish }: Body, requestContext: RequestContext, reply: FastifyReply) {
  if (!token) refuse('validation_failed', { sentence: 'Verify requires a token' })
  const known = readType(linkTypes, type)
  const target = wishedTarget({ query: { redirect_to: wish }, headers: {} })
  const next = target ?? env.SITE_URL
  const setsSession = isOwnTarget(next) && !isFlowLink(token)
  if (setsSession && needsOwnPage(next)) return reply.redirect(ownPageFor(known, token, next), 303)
  try {
    // This sets cookies: another site's page could sign its visitor in to the wrong account.
    if (setsSession && isSameOrigin(requestContext.headers) === false) refuse('foreign_origin')
    // A link that ends on our own pages follows their rules, that of a flow too.
    const verified = await openLink(known, token, { ...clientHere(requestContext), ...(isOwnTarget(next) && { ownPages: true }) })
    return reply.redirect(await toNext((tokens) => rememberSession(reply, tokens), next, known, token, verified), 303)
  } catch (error) {
    if (error instanceof Stop) return reply.redirect(toTarget(target, error, token), 303)
    throw error
  }
}

async function toNext(remember: Remember, target: string, type: LinkPageType, token: string, verified: Verified): Promise<string> {
  if ('half' in verified) return withMessage(target, HALF, isFlowLink(token))
  if ('asksPassword' in verified) return passwordPageFor(token)
  if ('code' in verified) return withCode(target, verified.code)
  return goOnWith(remember, target, await toSessionAnswer(verified.session), type)
}

function toTarget(target: string | undefined, refused: Stop, token: string): string {
  return withError(target ?? env.SITE_URL, refused, isFlowLink(token))
}

async function verify({ type, token, token_hash: link, email, phone }: Body, requestContext: RequestContext): Promise<Verified> {
  const known = readType(types, type)
  const client = clientHere(requestContext)
  if (Boolean(token) === Boolean(link)) refuse('validation_failed', { sentence: 'Verify requires either a token or a token hash' })
  if (link) {
    if (email || phone) refuse('validation_failed', { sentence: 'Only the token_hash and type should be provided' })
    return verifyLink(known, link, client)
  }
  if (Boolean(email) === Boolean(phone)) {
    refuse('validation_failed', { sentence: 'Only an email address or phone number should be provided on verify' })
  }
  const isForPhone = known === 'sms' || known === 'phone_change'
  if (isForPhone !== Boolean(phone))
    refuse('validation_failed', { sentence: `Type ${known} needs ${isForPhone ? 'a phone number' : 'an email address'}` })
  const address = phone ? readPhone(phone) : parseEmail(email ?? '', 'unprocessable')
  return verifyCode(known, address, token ?? '', client)
}

function readType<Type extends string>(among: z.ZodType<Type>, type: string | undefined): Type {
  if (!type) refuse('validation_failed', { sentence: 'Verify requires a verification type' })
  const read = among.safeParse(type)
  if (!read.success) refuse('validation_failed', { sentence: 'Invalid verification type' })
  return read.data
}
