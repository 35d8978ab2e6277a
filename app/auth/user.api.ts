import { z } from 'zod'
import { requestNonce } from '#app/confirmation/reauthentication.server.ts'
import { refuse } from '#app/auth-protocol/refusal.ts'
import type { Api } from '#app/platform/http.server.ts'
import { type AuthUser, authUser } from '#app/session/auth-user.ts'
import { describeUser } from '#app/session/session-answer.server.ts'
import { findSession } from '#app/session/session.server.ts'
import { changeOwnAccount } from '#app/confirmation/own-change.server.ts'
import { allowBearer, clientOf } from './bearer.server.ts'
import { channel, metadata, proofFields, readEmail, readPhone, readProof, redirectQuery, text, wishedTarget } from './body.server.ts'
import { userLimit } from './limits.server.ts'

const body = z.object({
  email: text,
  phone: text,
  channel,
  password: text,
  current_password: text,
  nonce: text,
  revoke_api_keys: z.boolean().nullish(),
  data: metadata,
  app_metadata: z.unknown().optional(),
  ...proofFields,
})

export const userApi: Api = async (app) => {
  app.get('/user', {
    schema: { summary: 'Who is signed in', tags: ['auth'], response: { 200: authUser } },
    async handler({ visit }) {
      const { user, session } = await allowBearer(visit)
      return describe(user.id, session.id)
    },
  })

  app.put('/user', {
    schema: {
      summary: 'Change one’s own profile, password or address',
      tags: ['auth'],
      querystring: redirectQuery,
      body,
      response: { 200: authUser },
    },
    config: { limit: userLimit },
    async handler({ visit, body, query, headers }) {
      const { user, session } = await allowBearer(visit)
      const { email, phone, password, nonce, data, current_password: currentPassword } = body
      if (body.app_metadata !== undefined && body.app_metadata !== null) {
        refuse('not_admin', { sentence: 'Updating app_metadata requires admin privileges' })
      }
      const wanted = {
        email: email && readEmail(email),
        phone: phone && readPhone(phone),
        password,
        nonce,
        currentPassword,
        data,
        revokesKeys: body.revoke_api_keys ?? undefined,
      }
      const manner = { target: wishedTarget({ query, headers }), proof: readProof(body) }
      await changeOwnAccount({ user, session }, { ...wanted, ...manner, channel: body.channel }, clientOf(visit))
      return describe(user.id, session.id)
    },
  })

  app.get('/reauthenticate', {
    schema: { summary: 'Ask for a code that shows that it is still oneself', tags: ['auth'], response: { 200: z.object({}) } },
    config: { limit: userLimit },
    async handler({ visit }) {
      const { user } = await allowBearer(visit)
      await requestNonce(user, visit)
      return {}
    },
  })
}

/** The user as they are now. */
async function describe(userId: string, sessionId: string): Promise<AuthUser> {
  const { user } = await findSession({ userId, sessionId })
  if (!user) refuse('user_not_found')
  return describeUser(user)
}
