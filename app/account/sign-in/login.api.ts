import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import type { Api } from '#app/platform/http/http.server.ts'
import { isSameOrigin } from '#app/platform/http/origin.server.ts'
import { forgetSession } from '#app/platform/http/session-cookie.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import type { RequestContext } from '#app/platform/http/request-context.server.ts'
import { safeNext } from './next.ts'
import { isMeant, signOutHere } from '#app/account/session/sign-out.server.ts'
import { redirected } from '#app/platform/http/response-schema.ts'

/** The sign-in URLs that redirect, and the link that signs out. */
export const loginApi: Api = async (app) => {
  app.addHook('onRequest', async (_request, reply) => void reply.header('cache-control', 'no-store'))
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, _body, done) => done(null, undefined))

  app.get('/api/login', {
    schema: {
      summary: 'Go to the sign-in page',
      tags: ['account'],
      querystring: z.object({ next: z.string().optional(), notice: z.string().optional() }),
      response: { 302: redirected },
    },
    async handler({ query }, reply) {
      const next = safeNext(query.next)
      const told = new URLSearchParams({ ...(next && { next }), ...(query.notice === 'ended' && { notice: query.notice }) })
      return reply.redirect(told.size > 0 ? `/login?${told}` : '/login')
    },
  })

  app.post('/api/logout', {
    schema: { summary: 'Sign out on this device', tags: ['account'], response: { 303: redirected } },
    async handler({ requestContext }, reply) {
      if (!isSameOrigin(requestContext.headers)) stop('forbidden', 'This request didn’t come from this site.', { code: 'foreign_origin' })
      return signOut(requestContext, reply)
    },
  })

  app.get('/api/logout', {
    schema: { summary: 'Sign out on this device by following a link', tags: ['account'], response: { 302: redirected } },
    async handler({ requestContext }, reply) {
      return isMeant(requestContext) ? signOut(requestContext, reply) : reply.redirect('/login/sign-out')
    },
  })
}

async function signOut(requestContext: RequestContext, reply: FastifyReply) {
  await signOutHere(requestContext)
  forgetSession(reply)
  return reply.redirect('/', requestContext.method === 'GET' ? 302 : 303)
}
