import { z } from 'zod'
import { allow } from '#app/access.server.ts'
import type { Api } from '#app/platform/http/http.server.ts'
import { stop } from '#app/platform/stop.ts'
import { emailState, emailSummary } from './emails.ts'
import { findEmail, listEmails, sendAgain } from './emails.server.ts'

const emailPage = z.object({
  state: z.optional(emailState),
  limit: z.coerce
    .number('must be a whole number from 1 to 200')
    .int('must be a whole number')
    .min(1, 'must be at least 1')
    .max(200, 'must be at most 200')
    .default(50),
  before: z.uuid('must be the id of a letter').optional(),
})

const emailId = z.object({ id: z.uuid('must be the id of a letter') })

export const emailsApi: Api = async (app) => {
  app.get('/api/letters', {
    schema: { summary: 'List letters, newest first', querystring: emailPage, response: { 200: z.array(emailSummary) } },
    async handler(request) {
      await allow(request.requestContext, 'letters.manage')
      return listEmails(request.query)
    },
  })

  app.post('/api/letters/:id/retry', {
    schema: { summary: 'Send a letter again that is not out yet', params: emailId, response: { 200: emailSummary } },
    async handler(request) {
      await allow(request.requestContext, 'letters.manage')
      const { id } = request.params
      if (!(await findEmail(id))) stop('notFound', 'There is no such email.')
      if (!(await sendAgain(id))) stop('conflict', 'This email is out, or on its way at this moment.')
      return (await findEmail(id)) ?? stop('notFound', 'There is no such email.')
    },
  })
}
