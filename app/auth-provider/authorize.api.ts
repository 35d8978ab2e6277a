import type { Api } from '#app/platform/http.server.ts'
import { findProvider } from '#app/provider/provider.server.ts'
import { beginSignIn } from '#app/provider/sign-in.server.ts'
import { beginInBrowser } from './flow-cookie.server.ts'
import { authorizeLimit } from './limits.server.ts'
import { readWish, wishQuery } from './provider-wish.server.ts'

export const authorizeApi: Api = async (app) => {
  app.get('/authorize', {
    schema: { summary: 'Go and sign in elsewhere', tags: ['auth'], querystring: wishQuery },
    config: { limit: authorizeLimit },
    async handler({ query, headers, visit }, reply) {
      const { origin, cookie } = beginInBrowser(visit)
      const url = await beginSignIn(findProvider(query.provider), { ...readWish({ query, headers }), origin })
      return reply.header('set-cookie', cookie).redirect(url, 302)
    },
  })
}
