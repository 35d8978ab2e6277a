import { z } from 'zod'
import { metadata, parseNewEmail, redirectQuery, textField, wishedTarget } from '#app/auth/http/body.server.ts'
import { refuse } from '#app/auth/protocol/refusal.ts'
import { transaction } from '#app/platform/database/db.server.ts'
import type { Api } from '#app/platform/http/http.server.ts'
import { authUser } from '#app/auth/sessions/auth-user.ts'
import { describeUser } from '#app/auth/sessions/session-response.server.ts'
import { inviteByEmail } from '#app/auth/directory/invite.server.ts'
import { actorOf } from './admin-bearer.server.ts'

const body = z.object({ email: textField, data: metadata })

export const adminInviteApi: Api = async (app) => {
  app.post('/invite', {
    schema: { summary: 'Invite a user by email', tags: ['auth-admin'], querystring: redirectQuery, body, response: { 200: authUser } },
    async handler({ requestContext, body: { email: written, data }, query, headers }) {
      const email = parseNewEmail(written ?? refuse('validation_failed', { sentence: 'An email address is required' }))
      const target = wishedTarget({ query, headers })
      return describeUser(await transaction((trx) => inviteByEmail(trx, { email, data, target }, actorOf(requestContext))))
    },
  })
}
