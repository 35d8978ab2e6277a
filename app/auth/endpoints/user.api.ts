import { z } from 'zod'
import { requestNonce } from '#app/auth/verification/reauthentication.server.ts'
import { refuse } from '#app/auth/protocol/refusal.ts'
import type { Api } from '#app/platform/http/http.server.ts'
import { type AuthUser, authUser } from '#app/auth/sessions/auth-user.ts'
import { describeUser } from '#app/auth/sessions/session-response.server.ts'
import { findSession } from '#app/auth/sessions/session.server.ts'
import { changeOwnAccount } from '#app/auth/verification/own-change.server.ts'
import { allowBearer, clientOf } from '#app/auth/http/bearer.server.ts'
import {
  channel,
  metadata,
  proofFields,
  parseNewEmail,
  readPhone,
  readProof,
  redirectQuery,
  textField,
  wishedTarget,
} from '#app/auth/http/body.server.ts'
import { userLimit } from '#app/auth/http/limits.server.ts'

const body = z.object({
  email: textField,
  phone: textField,
  channel,
  password: textField,
  current_password: textField,
  nonce: textField,
  revoke_api_keys: z.boolean().nullish(),
  data: metadata,
  app_metadata: z.unknown().optional(),
  ...proofFields,
})

export const userApi: Api = async (app) => {
  app.get('/user', {
    schema: { summary: 'Show the signed-in user', tags: ['auth'], response: { 200: authUser } },
    async handler({ requestContext }) {
      const { user, session } = await allowBearer(requestContext)
      return describe(user.id, session.id)
    },
  })

  app.put('/user', {
    schema: {
      summary: 'Change your profile, password, email or phone',
      tags: ['auth'],
      querystring: redirectQuery,
      body,
      response: { 200: authUser },
    },
    config: { limit: userLimit },
    async handler({ requestContext, body, query, headers }) {
      const { user, session } = await allowBearer(requestContext)
      const { email, phone, password, nonce, data, current_password: currentPassword } = body
      if (body.app_metadata !== undefined && body.app_metadata !== null) {
        refuse('not_admin', { sentence: 'Updating app_metadata requires admin privileges' })
      }
      const wanted = {
        email: email && parseNewEmail(email),
        phone: phone && readPhone(phone),
        password,
        nonce,
        currentPassword,
        data,
        revokesKeys: body.revoke_api_keys ?? undefined,
      }
      const manner = { target: wishedTarget({ query, headers }), proof: readProof(body) }
      await changeOwnAccount({ user, session }, { ...wanted, ...manner, channel: body.channel }, clientOf(requestContext))
      return describe(user.id, session.id)
    },
  })

  app.get('/reauthenticate', {
    schema: { summary: 'Request a reauthentication code', tags: ['auth'], response: { 200: z.object({}) } },
    config: { limit: userLimit },
    async handler({ requestContext }) {
      const { user } = await allowBearer(requestContext)
      await requestNonce(user, requestContext)
      return {}
    },
  })
}

/** Reads the user after the change. */
async function describe(userId: string, sessionId: string): Promise<AuthUser> {
  const { user } = await findSession({ userId, sessionId })
  if (!user) refuse('user_not_found')
  return describeUser(user)
}
