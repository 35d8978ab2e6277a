import { z } from 'zod'
import { transaction } from '#app/platform/db.server.ts'
import { checkNewPassword } from '#app/password/password.server.ts'
import { refuse } from '#app/auth-protocol/refusal.ts'
import { roleOf } from '#app/identity/role.ts'
import type { Api } from '#app/platform/http.server.ts'
import { authUser } from '#app/session/auth-user.ts'
import { describeUser } from '#app/session/session-answer.server.ts'
import { changeUser } from '#app/users/change-user.server.ts'
import { emptyUser, removeUser } from '#app/users/remove-user.server.ts'
import { actorOf } from './admin-bearer.server.ts'
import { hashGiven } from './given-password.server.ts'
import { pathUser } from './path-user.server.ts'
import { readUserBody, userBody } from './user-body.server.ts'

const params = z.object({ id: z.string() })
const farewell = z.object({ should_soft_delete: z.boolean().nullish() }).nullish()

/** One user, for programs of the operator. */
export const adminUserApi: Api = async (app) => {
  app.get('/admin/users/:id', {
    schema: { summary: 'Show a user', tags: ['auth-admin'], params, response: { 200: authUser } },
    handler: async ({ params }) => describeUser(await pathUser(params)),
  })

  app.put('/admin/users/:id', {
    schema: { summary: 'Change a user', tags: ['auth-admin'], params, body: userBody, response: { 200: authUser } },
    async handler({ visit, params, body }) {
      const { password, importedHash, ...change } = readUserBody(body)
      const user = await pathUser(params)
      if (password) await checkNewPassword(password, roleOf({ ...user.appMetadata, ...change.appMetadata }), user, change)
      const hashed = await hashGiven({ password, importedHash })
      return describeUser(await changeUser(user.id, { ...change, ...hashed }, actorOf(visit)))
    },
  })

  app.delete('/admin/users/:id', {
    schema: { summary: 'Delete a user', tags: ['auth-admin'], params, response: { 200: z.object({}) } },
    async handler({ visit, params, body }) {
      const given = farewell.safeParse(body)
      if (!given.success) refuse('validation_failed', { sentence: 'should_soft_delete must be true or false' })
      const { id } = await pathUser(params)
      const isSoft = given.data?.should_soft_delete === true
      await transaction(async (trx) => {
        const user = await trx.selectFrom('users').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
        if (!user || (isSoft && user.deletedAt)) return
        await (isSoft ? emptyUser : removeUser)(trx, user, actorOf(visit))
      })
      return {}
    },
  })
}
