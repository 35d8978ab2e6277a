import { z } from 'zod'
import { text } from '#app/auth/body.server.ts'
import { findFactor } from '#app/factor/factor.server.ts'
import type { Api } from '#app/platform/http.server.ts'
import { authFactor } from '#app/session/auth-user.ts'
import { toAuthFactor } from '#app/session/session-answer.server.ts'
import { listFactors } from '#app/session/user-factors.server.ts'
import { db } from '#app/platform/db.server.ts'
import { changeFactor, dropFactor } from '#app/users/user-factor.server.ts'
import { actorOf } from './admin-bearer.server.ts'
import { pathUser, readPathId } from './path-user.server.ts'
import { readPhone } from './user-body.server.ts'

const params = z.object({ id: z.string() })
const factorParams = z.object({ id: z.string(), factorId: z.string() })
const body = z.object({ friendly_name: text.refine((name = '') => name.length <= 100, 'A name has at most 100 characters'), phone: text })

/** Second factors of others, for programs of the operator: mostly to help who has lost theirs. */
export const adminFactorsApi: Api = async (app) => {
  app.get('/admin/users/:id/factors', {
    schema: { summary: 'List the second factors of a user', tags: ['auth-admin'], params, response: { 200: z.array(authFactor) } },
    handler: async ({ params }) => (await listFactors(db, (await pathUser(params)).id)).map(toAuthFactor),
  })

  app.delete('/admin/users/:id/factors/:factorId', {
    schema: { summary: 'Take a second factor away', tags: ['auth-admin'], params: factorParams, response: { 200: authFactor } },
    async handler({ visit, params }) {
      const user = await pathUser(params)
      const factor = await findFactor(user.id, readPathId(params.factorId))
      await dropFactor(factor, actorOf(visit))
      return toAuthFactor(factor)
    },
  })

  app.put('/admin/users/:id/factors/:factorId', {
    schema: { summary: 'Rename a second factor', tags: ['auth-admin'], params: factorParams, body, response: { 200: authFactor } },
    async handler({ visit, params, body: { friendly_name: friendlyName, phone } }) {
      const user = await pathUser(params)
      const factor = await findFactor(user.id, readPathId(params.factorId))
      return toAuthFactor(await changeFactor(factor, { friendlyName, phone: phone && readPhone(phone) }, actorOf(visit)))
    },
  })
}
