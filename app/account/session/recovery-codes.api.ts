import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { accounts } from '#app/account/accounts.server.ts'
import { allow, allowFresh, allowMfa } from '#app/access.server.ts'
import { countRecoveryCodes, makeRecoveryCodes, useRecoveryCode } from '#app/auth/mfa/recovery-code.server.ts'
import { type Api, perVisitor } from '#app/platform/http/http.server.ts'
import { rememberSession } from '#app/platform/http/session-cookie.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import type { RequestContext } from '#app/platform/http/request-context.server.ts'
import { type SessionAnswer, sessionAnswer } from '#app/auth/sessions/auth-user.ts'
import { toSessionAnswer } from '#app/auth/sessions/session-response.server.ts'
import type { SessionUser } from '#app/auth/sessions/user-factors.server.ts'
import type { CurrentUser } from './current-user.ts'

const limit = perVisitor('recovery-codes', 30, '5 minutes')

/** Recovery codes open an account whose second factor is lost. */
export const recoveryCodesApi: Api = async (app) => {
  app.get('/api/account/recovery-codes', {
    schema: { summary: 'How many of your recovery codes still work', response: { 200: kept } },
    async handler({ requestContext }, reply) {
      reply.header('cache-control', 'no-store')
      const { user } = await allowHolder(requestContext)
      const { count, madeAt } = await countRecoveryCodes(user.id)
      return { count, madeAt: madeAt?.toISOString() ?? null }
    },
  })

  app.post('/api/account/recovery-codes', {
    schema: { summary: 'Replace your recovery codes with ten new ones', response: { 200: made } },
    config: { limit },
    async handler({ requestContext }, reply) {
      reply.header('cache-control', 'no-store')
      return { codes: await makeRecoveryCodes(await holderOf(await allowFresh(requestContext, 'workspace.enter'))) }
    },
  })

  app.post('/api/account/recovery-codes/use', {
    schema: {
      summary: 'Complete two-factor authentication with a recovery code',
      body: z.object({ code: z.string().min(1).max(100) }),
      response: { 200: raised },
    },
    config: { limit },
    async handler({ requestContext, body: { code } }, reply) {
      reply.header('cache-control', 'no-store')
      const session = await toSessionAnswer(await useRecoveryCode(await holderOf(await allowMfa(requestContext)), code))
      return handOver(requestContext, reply, session)
    },
  })
}

const kept = z.object({ count: z.int(), madeAt: z.string().nullable() })
const made = z.object({ codes: z.array(z.string()) })
/** A program gets the session itself; a browser has it in its cookies, and its client renews its own copy. */
const raised = z.object({ aal: z.literal('aal2'), session: z.optional(sessionAnswer) })

async function allowHolder(requestContext: RequestContext): Promise<SessionUser> {
  return holderOf(await allow(requestContext, 'workspace.enter'))
}

async function holderOf(currentUser: CurrentUser): Promise<SessionUser> {
  if (!accounts.hasRecoveryCodes) stop('notFound', 'There are no recovery codes for this account.')
  return accounts.findSession(currentUser)
}

function handOver({ headers }: RequestContext, reply: FastifyReply, session: SessionAnswer) {
  if (headers['authorization']) return { aal: 'aal2' as const, session }
  rememberSession(reply, { access: session.access_token, refresh: session.refresh_token })
  return { aal: 'aal2' as const }
}
