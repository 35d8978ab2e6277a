import { z } from 'zod'
import { requestAccountLetter, requestEmailChangeByPhone } from '#app/confirmation/account-letter.server.ts'
import { requestCodeAgain } from '#app/confirmation/phone-code.server.ts'
import { refuse } from '#app/auth-protocol/refusal.ts'
import type { Api } from '#app/platform/http.server.ts'
import { metaSecurity, onlyAddress, onlyEmail, proofFields, readProof, redirectQuery, text, wishedTarget } from './body.server.ts'
import { checkCaptcha } from './captcha.server.ts'
import { recoverLimit, resendLimit } from './limits.server.ts'
import { signUpOf } from './sign-up-browser.server.ts'

const done = z.object({})

/** The answer is the same whether or not the address has an account. */
export const recoverApi: Api = async (app) => {
  app.post('/recover', {
    schema: {
      summary: 'Ask for the letter that lets one choose a new password',
      tags: ['auth'],
      querystring: redirectQuery,
      body: z.object({ email: text, ...proofFields, gotrue_meta_security: metaSecurity }),
      response: { 200: done },
    },
    config: { limit: recoverLimit },
    async handler({ body, query, headers, visit }) {
      const email = onlyEmail(body)
      const proof = readProof(body)
      await checkCaptcha(body.gotrue_meta_security, visit)
      await requestAccountLetter({ kind: 'recovery', email, proof, target: wishedTarget({ query, headers }) }, visit)
      return {}
    },
  })

  app.post('/resend', {
    schema: {
      summary: 'Ask for a letter or a message again',
      tags: ['auth'],
      querystring: redirectQuery,
      body: z.object({ type: text, email: text, phone: text, ...proofFields, gotrue_meta_security: metaSecurity }),
      response: { 200: done },
    },
    config: { limit: resendLimit },
    async handler({ body, query, headers, visit }) {
      const again = resendable.get(body.type ?? '')
      if (!again) refuse('validation_failed', { sentence: 'Type provided in the body is not one that can be sent again' })
      const { email, phone } = onlyAddress(body)
      const proof = readProof(body)
      await checkCaptcha(body.gotrue_meta_security, visit)
      const target = wishedTarget({ query, headers })
      if ('message' in again) {
        if (phone === undefined) refuse('validation_failed', { sentence: `Type ${body.type} requires a phone number` })
        await requestCodeAgain(again.message, phone)
      } else if (email !== undefined) {
        await requestAccountLetter({ kind: again.letter, email, proof, target, browser: signUpOf(visit) }, visit)
      } else {
        // The address in the request is the current one of the account, which may be a phone number.
        if (again.letter !== 'email-change') refuse('validation_failed', { sentence: `Type ${body.type} requires an email address` })
        await requestEmailChangeByPhone({ phone, proof, target }, visit)
      }
      return {}
    },
  })
}

type Again = { letter: 'confirmation' | 'email-change' } | { message: 'confirmation' | 'phone_change' }

const resendable = new Map<string, Again>([
  ['signup', { letter: 'confirmation' }],
  ['email_change', { letter: 'email-change' }],
  ['sms', { message: 'confirmation' }],
  ['phone_change', { message: 'phone_change' }],
])
