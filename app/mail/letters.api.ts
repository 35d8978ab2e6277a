import { z } from 'zod'
import { allow } from '#app/access.server.ts'
import type { Api } from '#app/platform/http.server.ts'
import { stop } from '#app/platform/stop.ts'
import { letterState, letterSummary } from './letters.ts'
import { findLetter, listLetters, sendAgain } from './letters.server.ts'

const letterPage = z.object({
  state: z.optional(letterState),
  limit: z.coerce
    .number('must be a whole number from 1 to 200')
    .int('must be a whole number')
    .min(1, 'must be at least 1')
    .max(200, 'must be at most 200')
    .default(50),
  before: z.uuid('must be the id of a letter').optional(),
})

const letterId = z.object({ id: z.uuid('must be the id of a letter') })

export const lettersApi: Api = async (app) => {
  app.get('/api/letters', {
    schema: { summary: 'List letters, newest first', querystring: letterPage, response: { 200: z.array(letterSummary) } },
    async handler(request) {
      await allow(request.visit, 'letters.manage')
      return listLetters(request.query)
    },
  })

  app.post('/api/letters/:id/retry', {
    schema: { summary: 'Send a letter again that is not out yet', params: letterId, response: { 200: letterSummary } },
    async handler(request) {
      await allow(request.visit, 'letters.manage')
      const { id } = request.params
      if (!(await findLetter(id))) stop('notFound', 'There is no such email.')
      if (!(await sendAgain(id))) stop('conflict', 'This email is out, or on its way at this moment.')
      return (await findLetter(id)) ?? stop('notFound', 'There is no such email.')
    },
  })
}
