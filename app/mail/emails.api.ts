import { z } from 'zod'
import { allow } from '#app/access.server.ts'
import type { Api } from '#app/platform/http/http.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { emailChoice, emailState, emailSummary, queuedEmails, unsentEmails } from './emails.ts'
import { countUnsentEmails, findEmail, listEmails, retryEmail, retryEmails } from './emails.server.ts'

const emailPage = z.object({
  state: z.optional(emailState),
  limit: z.coerce
    .number('must be a whole number from 1 to 200')
    .int('must be a whole number')
    .min(1, 'must be at least 1')
    .max(200, 'must be at most 200')
    .default(50),
  attempts: z.coerce
    .number('must be a whole number')
    .int('must be a whole number')
    .min(1, 'must be at least 1')
    .max(1000, 'must be at most 1000')
    .optional()
    .describe('Only emails that failed at least so many attempts'),
  before: z.uuid('must be the id of an email').optional(),
})

const emailId = z.object({ id: z.uuid('must be the id of an email') })

export const emailsApi: Api = async (app) => {
  // Before the body is looked at: a stranger learns nothing about it.
  app.addHook('onRequest', async ({ requestContext }) => void (await allow(requestContext, 'letters.manage')))

  app.get('/api/letters', {
    schema: { summary: 'List emails, newest first', querystring: emailPage, response: { 200: z.array(emailSummary) } },
    handler: async ({ query }) => listEmails(query),
  })

  app.get('/api/letters/unsent', {
    schema: { summary: 'Count the emails that can be sent again', response: { 200: unsentEmails } },
    handler: async () => countUnsentEmails(),
  })

  app.post('/api/letters/retry', {
    schema: {
      summary: 'Resend emails that were not sent yet: some, or all of a state',
      body: emailChoice,
      response: { 200: queuedEmails },
    },
    handler: async ({ body }) => ({ queued: await retryEmails(body.choice) }),
  })

  app.post('/api/letters/:id/retry', {
    schema: { summary: 'Resend an email that was not sent yet', params: emailId, response: { 200: emailSummary } },
    async handler(request) {
      const { id } = request.params
      if (!(await findEmail(id))) stop('notFound', 'There is no such email.')
      if (!(await retryEmail(id))) stop('conflict', 'This email was sent or is being sent now.')
      return (await findEmail(id)) ?? stop('notFound', 'There is no such email.')
    },
  })
}
