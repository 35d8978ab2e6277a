import type { IncomingHttpHeaders } from 'node:http'
import { z } from 'zod'
import { requestAccountEmail } from '#app/auth/verification/account-email.server.ts'
import { requestSignInCode } from '#app/auth/verification/phone-sign-up.server.ts'
import { refuse } from '#app/auth/protocol/refusal.ts'
import { REFERRER_HEADER } from '#app/auth/protocol/session-header.ts'
import type { Api } from '#app/platform/http/http.server.ts'
import { sourceOf } from '#app/platform/http/source.server.ts'
import {
  channel,
  metadata,
  metaSecurity,
  onlyAddress,
  onlyEmail,
  proofFields,
  readProof,
  redirectQuery,
  textField,
  wishedTarget,
} from '#app/auth/http/body.server.ts'
import { askerOf, checkCaptcha } from '#app/auth/http/captcha.server.ts'
import { magicLinkLimit, otpLimit } from '#app/auth/http/limits.server.ts'

const body = z.object({
  email: textField,
  phone: textField,
  create_user: z.boolean().nullish(),
  data: metadata,
  channel,
  ...proofFields,
  gotrue_meta_security: metaSecurity,
})

const done = z.object({})

export const otpApi: Api = async (app) => {
  app.post('/otp', {
    schema: {
      summary: 'Request a sign-in link or code',
      tags: ['auth'],
      querystring: redirectQuery,
      body,
      response: { 200: done },
    },
    config: { limit: otpLimit },
    async handler({ body, query, headers, requestContext }) {
      const { data, channel } = body
      const { email, phone } = onlyAddress(body)
      if (email !== undefined && channel) refuse('validation_failed', { sentence: 'Channel should only be specified with Phone OTP' })
      const proof = readProof(body)
      await checkCaptcha(body.gotrue_meta_security, requestContext)
      const mayCreate = body.create_user ?? true
      const asker = askerOf(body.gotrue_meta_security, requestContext)
      if (email === undefined) await requestSignInCode({ phone, mayCreate, data, channel: channel ?? 'sms' }, asker)
      else
        await requestAccountEmail({ ...signInTo(email, headers), data, proof, mayCreate, target: wishedTarget({ query, headers }) }, asker)
      return {}
    },
  })

  // The older name of `/otp`, for emails only.
  app.post('/magiclink', {
    schema: { summary: 'Request a sign-in link', tags: ['auth'], querystring: redirectQuery, body, response: { 200: done } },
    config: { limit: magicLinkLimit },
    async handler({ body, query, headers, requestContext }) {
      const email = onlyEmail(body)
      const proof = readProof(body)
      await checkCaptcha(body.gotrue_meta_security, requestContext)
      await requestAccountEmail(
        { ...signInTo(email, headers), data: body.data, proof, target: wishedTarget({ query, headers }) },
        askerOf(body.gotrue_meta_security, requestContext),
      )
      return {}
    },
  })
}

function signInTo(email: string, headers: IncomingHttpHeaders) {
  return { kind: 'sign-in' as const, email, cameFrom: sourceOf('sign-in', { referrer: headers[REFERRER_HEADER]?.toString() }, headers) }
}
