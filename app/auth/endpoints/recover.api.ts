import { z } from 'zod'
import { requestAccountEmail, requestEmailChangeByPhone } from '#app/auth/verification/account-email.server.ts'
import { requestCodeAgain } from '#app/auth/verification/phone-code.server.ts'
import { refuse } from '#app/auth/protocol/refusal.ts'
import type { Api } from '#app/platform/http/http.server.ts'
import {
  metaSecurity,
  onlyAddress,
  onlyEmail,
  proofFields,
  readProof,
  redirectQuery,
  textField,
  wishedTarget,
} from '#app/auth/http/body.server.ts'
import { checkCaptcha } from '#app/auth/http/captcha.server.ts'
import { recoverLimit, resendLimit } from '#app/auth/http/limits.server.ts'
import { findSignUpHere } from '#app/auth/http/sign-up-browser.server.ts'

const done = z.object({})

/** The response is the same whether or not the address has an account. */
export const recoverApi: Api = async (app) => {
  app.post('/recover', {
    schema: {
      summary: 'Request a password reset email',
      tags: ['auth'],
      querystring: redirectQuery,
      body: z.object({ email: textField, ...proofFields, gotrue_meta_security: metaSecurity }),
      response: { 200: done },
    },
    config: { limit: recoverLimit },
    async handler({ body, query, headers, requestContext }) {
      const email = onlyEmail(body)
      const proof = readProof(body)
      await checkCaptcha(body.gotrue_meta_security, requestContext)
      await requestAccountEmail({ kind: 'recovery', email, proof, target: wishedTarget({ query, headers }) }, requestContext)
      return {}
    },
  })

  app.post('/resend', {
    schema: {
      summary: 'Resend an email or a text message',
      tags: ['auth'],
      querystring: redirectQuery,
      body: z.object({ type: textField, email: textField, phone: textField, ...proofFields, gotrue_meta_security: metaSecurity }),
      response: { 200: done },
    },
    config: { limit: resendLimit },
    async handler({ body, query, headers, requestContext }) {
      const again = resendable.get(body.type ?? '')
      if (!again) refuse('validation_failed', { sentence: 'Type provided in the body cannot be resent' })
      const { email, phone } = onlyAddress(body)
      const proof = readProof(body)
      await checkCaptcha(body.gotrue_meta_security, requestContext)
      const target = wishedTarget({ query, headers })
      if ('message' in again) {
        if (phone === undefined) refuse('validation_failed', { sentence: `Type ${body.type} requires a phone number` })
        await requestCodeAgain(again.message, phone, requestContext)
      } else if (email !== undefined) {
        await requestAccountEmail(
          { kind: again.email, email, proof, target, browser: findSignUpHere(requestContext)?.signUp },
          requestContext,
        )
      } else {
        // The address in the request is the current one of the account, which may be a phone number.
        if (again.email !== 'email-change') refuse('validation_failed', { sentence: `Type ${body.type} requires an email address` })
        await requestEmailChangeByPhone({ phone, proof, target }, requestContext)
      }
      return {}
    },
  })
}

type Again = { email: 'confirmation' | 'email-change' } | { message: 'confirmation' | 'phone_change' }

const resendable = new Map<string, Again>([
  ['signup', { email: 'confirmation' }],
  ['email_change', { email: 'email-change' }],
  ['sms', { message: 'confirmation' }],
  ['phone_change', { message: 'phone_change' }],
])
