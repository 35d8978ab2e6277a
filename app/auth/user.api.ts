import { z } from 'zod'
import { refuse } from '#app/identity/refusal.ts'
import { updateProfile } from '#app/identity/user.server.ts'
import { transaction } from '#app/platform/db.server.ts'
import type { Api } from '#app/platform/http.server.ts'
import { type AuthUser, authUser } from '#app/session/auth-user.ts'
import { keepNewPassword, prepareNewPassword } from '#app/session/new-password.server.ts'
import { describeUser } from '#app/session/session-answer.server.ts'
import { findSession } from '#app/session/session.server.ts'
import { allowBearer } from './bearer.server.ts'
import { metadata, readEmail, text } from './body.server.ts'
import { userLimit } from './limits.server.ts'

const body = z.object({ email: text, phone: text, password: text, data: metadata, app_metadata: z.unknown().optional() })

export const userApi: Api = async (app) => {
  app.get('/user', {
    schema: { summary: 'Who is signed in', tags: ['auth'], response: { 200: authUser } },
    async handler({ visit }) {
      const { user, session } = await allowBearer(visit)
      return describe(user.id, session.id)
    },
  })

  app.put('/user', {
    schema: { summary: 'Change one’s own profile or password', tags: ['auth'], body, response: { 200: authUser } },
    config: { limit: userLimit },
    async handler({ visit, body }) {
      const { user, session } = await allowBearer(visit)
      const { email, phone, password, data } = body
      if (body.app_metadata !== undefined) refuse('not_admin', { sentence: 'Updating app_metadata requires admin privileges' })
      if (phone) refuse('phone_provider_disabled')
      if (email && readEmail(email) !== user.email) refuse('validation_failed', { sentence: 'This address cannot be changed here yet' })
      const fresh = password ? await prepareNewPassword(user, password) : undefined
      await transaction(async (trx) => {
        if (fresh) await keepNewPassword(trx, user, fresh, session.id)
        if (Object.keys(data).length > 0) await updateProfile(trx, user, data)
      })
      return describe(user.id, session.id)
    },
  })
}

/** The user as they are now. */
async function describe(userId: string, sessionId: string): Promise<AuthUser> {
  const { user } = await findSession({ userId, sessionId })
  if (!user) refuse('user_not_found')
  return describeUser(user)
}
