import { z } from 'zod'
import { transaction } from '#app/platform/database/db.server.ts'
import { checkNewPassword } from '#app/auth/sessions/password.server.ts'
import { refuse } from '#app/auth/protocol/refusal.ts'
import { roleOf } from '#app/auth/users/role.ts'
import type { Api } from '#app/platform/http/http.server.ts'
import { authUser } from '#app/auth/sessions/auth-user.ts'
import { describeUser } from '#app/auth/sessions/session-response.server.ts'
import { changeUser } from '#app/auth/directory/change-user.server.ts'
import { emptyUser, removeUser } from '#app/auth/directory/remove-user.server.ts'
import { actorOf } from './admin-bearer.server.ts'
import { hashGiven, readUserBody, userBody } from './user-body.server.ts'
import { pathUser } from './path-user.server.ts'

const params = z.object({ id: z.string() })
const farewell = z.object({ should_soft_delete: z.boolean().nullish() }).nullish()

/** One user, for admin programs. */
export const adminUserApi: Api = async (app) => {
  app.get('/admin/users/:id', {
    schema: { summary: 'Show a user', tags: ['auth-admin'], params, response: { 200: authUser } },
    handler: async ({ params }) => describeUser(await pathUser(params)),
  })

  app.put('/admin/users/:id', {
    schema: { summary: 'Change a user', tags: ['auth-admin'], params, body: userBody, response: { 200: authUser } },
    async handler({ requestContext, params, body }) {
      const { password, importedHash, ...change } = readUserBody(body)
      const user = await pathUser(params)
      if (password) await checkNewPassword(password, roleOf({ ...user.appMetadata, ...change.appMetadata }), user, change)
      const hashed = await hashGiven({ password, importedHash })
      return describeUser(await changeUser(user.id, { ...change, ...hashed }, actorOf(requestContext)))
    },
  })

  app.delete('/admin/users/:id', {
    schema: { summary: 'Delete a user', tags: ['auth-admin'], params, response: { 200: z.object({}) } },
    async handler({ requestContext, params, body }) {
      const given = farewell.safeParse(body)
      if (!given.success) refuse('validation_failed', { sentence: 'should_soft_delete must be true or false' })
      const { id } = await pathUser(params)
      const isSoft = given.data?.should_soft_delete === true
      await transaction(async (trx) => {
        const user = await trx.selectFrom('users').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
        if (!user || (isSoft && user.deletedAt)) return
        await (isSoft ? emptyUser : removeUser)(trx, user, actorOf(requestContext))
      })
      return {}
    },
  })
}
