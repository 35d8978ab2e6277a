import { z } from 'zod'
import { refuse } from '#app/identity/refusal.ts'
import type { Api } from '#app/platform/http.server.ts'
import { requestAccountLetter } from '#app/session/account-letter.server.ts'
import { onlyEmail, redirectQuery, text, wishedTarget } from './body.server.ts'
import { recoverLimit, resendLimit } from './limits.server.ts'

const done = z.object({})

/** The answer is the same whether or not the address has an account. */
export const recoverApi: Api = async (app) => {
  app.post('/recover', {
    schema: {
      summary: 'Ask for the letter that lets one choose a new password',
      tags: ['auth'],
      querystring: redirectQuery,
      body: z.object({ email: text }),
      response: { 200: done },
    },
    config: { limit: recoverLimit },
    async handler({ body, query, headers }) {
      await requestAccountLetter({ kind: 'recovery', email: onlyEmail(body), target: wishedTarget({ query, headers }) })
      return {}
    },
  })

  app.post('/resend', {
    schema: {
      summary: 'Ask for the letter that confirms an address again',
      tags: ['auth'],
      querystring: redirectQuery,
      body: z.object({ type: text, email: text, phone: text }),
      response: { 200: done },
    },
    config: { limit: resendLimit },
    async handler({ body, query, headers }) {
      const { type, ...address } = body
      if (!type || !resendable.has(type))
        refuse('validation_failed', { sentence: 'Type provided in the body is not one that can be sent again' })
      const email = onlyEmail(address)
      if (type === 'signup') await requestAccountLetter({ kind: 'confirmation', email, target: wishedTarget({ query, headers }) })
      return {}
    },
  })
}

/** Nothing is ever pending for those that are not served yet. */
const resendable = new Set(['signup', 'email_change', 'sms', 'phone_change'])
