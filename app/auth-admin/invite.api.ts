import { z } from 'zod'
import { metadata, readEmail, redirectQuery, text, wishedTarget } from '#app/auth/body.server.ts'
import { refuse } from '#app/auth-protocol/refusal.ts'
import { transaction } from '#app/platform/db.server.ts'
import type { Api } from '#app/platform/http.server.ts'
import { authUser } from '#app/session/auth-user.ts'
import { describeUser } from '#app/session/session-answer.server.ts'
import { inviteByEmail } from '#app/users/invite.server.ts'
import { actorOf } from './admin-bearer.server.ts'

const body = z.object({ email: text, data: metadata })

export const adminInviteApi: Api = async (app) => {
  app.post('/invite', {
    schema: { summary: 'Invite someone by letter', tags: ['auth-admin'], querystring: redirectQuery, body, response: { 200: authUser } },
    async handler({ visit, body: { email: written, data }, query, headers }) {
      const email = readEmail(written ?? refuse('validation_failed', { sentence: 'An email address is required' }))
      const target = wishedTarget({ query, headers })
      return describeUser(await transaction((trx) => inviteByEmail(trx, { email, data, target }, actorOf(visit))))
    },
  })
}
