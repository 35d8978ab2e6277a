import { z } from 'zod'
import { passkeyItem, toPasskeyItem } from './passkey-item.server.ts'
import { listPasskeys } from '#app/auth/mfa/key.server.ts'
import { removePasskey } from '#app/auth/mfa/passkey.server.ts'
import { db } from '#app/platform/database/db.server.ts'
import type { Api } from '#app/platform/http/http.server.ts'
import { actorOf } from './admin-bearer.server.ts'
import { pathUser, readPathId } from './path-user.server.ts'

const params = z.object({ id: z.string() })
const passkeyParams = z.object({ id: z.string(), passkeyId: z.string() })

/** Other users' passkeys, for admin programs. */
export const adminPasskeysApi: Api = async (app) => {
  app.get('/admin/users/:id/passkeys', {
    schema: { summary: 'List the passkeys of a user', tags: ['auth-admin'], params, response: { 200: z.array(passkeyItem) } },
    handler: async ({ params }) => (await listPasskeys(db, (await pathUser(params)).id)).map(toPasskeyItem),
  })

  app.delete('/admin/users/:id/passkeys/:passkeyId', {
    schema: { summary: 'Remove a passkey of a user', tags: ['auth-admin'], params: passkeyParams, response: { 204: z.null() } },
    async handler({ requestContext, params }, reply) {
      const { id } = await pathUser(params)
      await removePasskey(id, readPathId(params.passkeyId), actorOf(requestContext))
      return reply.status(204).send(null)
    },
  })
}
