import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import type { Api } from '#app/platform/http.server.ts'
import { isSameOrigin } from '#app/platform/origin.server.ts'
import { forgetSession } from '#app/platform/session-cookie.server.ts'
import { stop } from '#app/platform/stop.ts'
import type { Visit } from '#app/platform/visit.server.ts'
import { safeNext } from './next.ts'
import { isMeant, signOutHere } from '#app/account/sign-out.server.ts'
import { redirected } from '#app/platform/answer-schema.ts'

/** Addresses that browsers are sent to, and links that they follow. */
export const loginApi: Api = async (app) => {
  app.addHook('onRequest', async (_request, reply) => void reply.header('cache-control', 'no-store'))
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, _body, done) => done(null, undefined))

  app.get('/api/login', {
    schema: {
      summary: 'Go to the sign-in page',
      tags: ['account'],
      querystring: z.object({ next: z.string().optional() }),
      response: { 302: redirected },
    },
    async handler({ query }, reply) {
      const next = safeNext(query.next)
      return reply.redirect(next ? `/login?next=${encodeURIComponent(next)}` : '/login')
    },
  })

  app.post('/api/logout', {
    schema: { summary: 'Sign out on this device', tags: ['account'], response: { 303: redirected } },
    async handler({ visit }, reply) {
      if (!isSameOrigin(visit.headers))
        stop('forbidden', 'This request does not say that it comes from this site.', { code: 'foreign_origin' })
      return signOut(visit, reply)
    },
  })

  app.get('/api/logout', {
    schema: { summary: 'Sign out on this device, by a link of our own pages', tags: ['account'], response: { 302: redirected } },
    async handler({ visit }, reply) {
      return isMeant(visit) ? signOut(visit, reply) : reply.redirect('/login/sign-out')
    },
  })
}

async function signOut(visit: Visit, reply: FastifyReply) {
  await signOutHere(visit)
  forgetSession(reply)
  return reply.redirect('/', visit.method === 'GET' ? 302 : 303)
}
