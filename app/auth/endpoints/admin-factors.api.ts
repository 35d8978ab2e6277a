import { z } from 'zod'
import { textField } from '#app/auth/http/body.server.ts'
import { findFactor } from '#app/auth/mfa/factor.server.ts'
import type { Api } from '#app/platform/http/http.server.ts'
import { authFactor } from '#app/auth/sessions/auth-user.ts'
import { toAuthFactor } from '#app/auth/sessions/session-response.server.ts'
import { listFactors } from '#app/auth/sessions/user-factors.server.ts'
import { db } from '#app/platform/database/db.server.ts'
import { changeFactor, dropFactor } from '#app/auth/directory/user-factor.server.ts'
import { actorOf } from './admin-bearer.server.ts'
import { pathUser, readPathId } from './path-user.server.ts'
import { readNewPhone } from './user-body.server.ts'

const params = z.object({ id: z.string() })
const factorParams = z.object({ id: z.string(), factorId: z.string() })
const body = z.object({
  friendly_name: textField.refine((name = '') => name.length <= 100, 'A name has at most 100 characters'),
  phone: textField,
})

/** Other users' second factors, for admin programs: mostly to help users who lost theirs. */
export const adminFactorsApi: Api = async (app) => {
  app.get('/admin/users/:id/factors', {
    schema: { summary: 'List the second factors of a user', tags: ['auth-admin'], params, response: { 200: z.array(authFactor) } },
    handler: async ({ params }) => (await listFactors(db, (await pathUser(params)).id)).map(toAuthFactor),
  })

  app.delete('/admin/users/:id/factors/:factorId', {
    schema: { summary: 'Remove a second factor of a user', tags: ['auth-admin'], params: factorParams, response: { 200: authFactor } },
    async handler({ requestContext, params }) {
      const user = await pathUser(params)
      const factor = await findFactor(user.id, readPathId(params.factorId))
      await dropFactor(factor, actorOf(requestContext))
      return toAuthFactor(factor)
    },
  })

  app.put('/admin/users/:id/factors/:factorId', {
    schema: {
      summary: 'Change a second factor of a user',
      tags: ['auth-admin'],
      params: factorParams,
      body,
      response: { 200: authFactor },
    },
    async handler({ requestContext, params, body: { friendly_name: friendlyName, phone } }) {
      const user = await pathUser(params)
      const factor = await findFactor(user.id, readPathId(params.factorId))
      return toAuthFactor(await changeFactor(factor, { friendlyName, phone: phone && readNewPhone(phone) }, actorOf(requestContext)))
    },
  })
}
