import { z } from 'zod'
import { requestAccountLetter } from '#app/confirmation/account-letter.server.ts'
import { requestSignInCode } from '#app/confirmation/phone-sign-up.server.ts'
import { refuse } from '#app/auth-protocol/refusal.ts'
import type { Api } from '#app/platform/http.server.ts'
import {
  channel,
  metadata,
  metaSecurity,
  onlyAddress,
  onlyEmail,
  proofFields,
  readProof,
  redirectQuery,
  text,
  wishedTarget,
} from './body.server.ts'
import { askerOf, checkCaptcha } from './captcha.server.ts'
import { magicLinkLimit, otpLimit } from './limits.server.ts'

const body = z.object({
  email: text,
  phone: text,
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
      summary: 'Ask for a link or a code that signs in without a password',
      tags: ['auth'],
      querystring: redirectQuery,
      body,
      response: { 200: done },
    },
    config: { limit: otpLimit },
    async handler({ body, query, headers, visit }) {
      const { data, channel } = body
      const { email, phone } = onlyAddress(body)
      if (email !== undefined && channel) refuse('validation_failed', { sentence: 'Channel should only be specified with Phone OTP' })
      const proof = readProof(body)
      await checkCaptcha(body.gotrue_meta_security, visit)
      const mayCreate = body.create_user ?? true
      const asker = askerOf(body.gotrue_meta_security, visit)
      if (email === undefined) await requestSignInCode({ phone, mayCreate, data, channel: channel ?? 'sms' })
      else await requestAccountLetter({ kind: 'sign-in', email, data, proof, mayCreate, target: wishedTarget({ query, headers }) }, asker)
      return {}
    },
  })

  // What clients called the same before there were phones.
  app.post('/magiclink', {
    schema: { summary: 'Ask for a link that signs in', tags: ['auth'], querystring: redirectQuery, body, response: { 200: done } },
    config: { limit: magicLinkLimit },
    async handler({ body, query, headers, visit }) {
      const email = onlyEmail(body)
      const proof = readProof(body)
      await checkCaptcha(body.gotrue_meta_security, visit)
      await requestAccountLetter(
        { kind: 'sign-in', email, data: body.data, proof, target: wishedTarget({ query, headers }) },
        askerOf(body.gotrue_meta_security, visit),
      )
      return {}
    },
  })
}
