import { z } from 'zod'
import { textField } from '#app/auth/http/body.server.ts'
import { refuse } from '#app/auth/protocol/refusal.ts'
import type { Api } from '#app/platform/http/http.server.ts'
import { authUser } from '#app/auth/sessions/auth-user.ts'
import { describeUser, toAuthUser } from '#app/auth/sessions/session-response.server.ts'
import { addUser } from '#app/auth/directory/add-user.server.ts'
import { findUserPage } from '#app/auth/directory/user-pages.server.ts'
import { actorOf } from './admin-bearer.server.ts'
import { hashGiven, readNewId, readUserBody, userBody } from './user-body.server.ts'
import { linkOf, readPaging } from './paging.server.ts'

const query = z.object({ page: textField, per_page: textField, filter: textField, sort: textField })

/** Lists and creates users, for admin programs. */
export const adminUsersApi: Api = async (app) => {
  app.get('/admin/users', {
    schema: {
      summary: 'List users',
      tags: ['auth-admin'],
      querystring: query,
      response: { 200: z.object({ users: z.array(authUser), aud: z.string() }) },
    },
    async handler({ query }, reply) {
      const paging = readPaging(query)
      const { users, total, identities, factors } = await findUserPage({ ...paging, oldestFirst: isOldestFirst(query.sort) })
      reply.headers({ 'x-total-count': total, link: linkOf(paging, total, { sort: query.sort }) })
      const own = <Part extends { userId: string }>(parts: Part[], id: string) => parts.filter(({ userId }) => userId === id)
      return { users: users.map((user) => toAuthUser(user, own(identities, user.id), own(factors, user.id))), aud: 'authenticated' }
    },
  })

  app.post('/admin/users', {
    schema: { summary: 'Create a user', tags: ['auth-admin'], body: userBody, response: { 200: authUser } },
    async handler({ requestContext, body }) {
      const { email, phone, password, importedHash, emailConfirm, phoneConfirm, ...rest } = readUserBody(body)
      if (!email && !phone) refuse('validation_failed', { sentence: 'Cannot create a user without either an email or phone' })
      const hashed = await hashGiven({ password, importedHash })
      const wanted = {
        ...rest,
        ...hashed,
        id: readNewId(body.id),
        email,
        phone,
        emailConfirmed: emailConfirm,
        phoneConfirmed: phoneConfirm,
      }
      return describeUser(await addUser(wanted, actorOf(requestContext)))
    },
  })
}

function isOldestFirst(sort: string | undefined): boolean {
  const [, direction = 'desc'] =
    /^created_at(?:\s+(asc|desc))?$/i.exec(sort?.trim() ?? 'created_at') ??
    refuse('validation_failed', { sentence: 'Users can be sorted by created_at asc or created_at desc' })
  return direction.toLowerCase() === 'asc'
}
