import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { allow, allowFresh, allowSecondStep } from '#app/access.server.ts'
import { countRecoveryCodes, makeRecoveryCodes, useRecoveryCode } from '#app/factor/recovery-code.server.ts'
import { isHosted } from '#app/platform/env.server.ts'
import { type Api, perVisitor } from '#app/platform/http.server.ts'
import { rememberSession } from '#app/platform/session-cookie.server.ts'
import { stop } from '#app/platform/stop.ts'
import type { Visit } from '#app/platform/visit.server.ts'
import { type SessionAnswer, sessionAnswer } from '#app/session/auth-user.ts'
import { toSessionAnswer } from '#app/session/session-answer.server.ts'
import { findSession } from '#app/session/session.server.ts'
import type { Holder } from '#app/session/user-factors.server.ts'
import type { Viewer } from './viewer.ts'

const limit = perVisitor('recovery-codes', 30, '5 minutes')

/** What opens an account whose second factor is lost. */
export const recoveryCodesApi: Api = async (app) => {
  app.get('/api/account/recovery-codes', {
    schema: { summary: 'How many of your recovery codes still work', response: { 200: kept } },
    async handler({ visit }, reply) {
      reply.header('cache-control', 'no-store')
      const { user } = await allowHolder(visit)
      const { count, madeAt } = await countRecoveryCodes(user.id)
      return { count, madeAt: madeAt?.toISOString() ?? null }
    },
  })

  app.post('/api/account/recovery-codes', {
    schema: { summary: 'Make ten new recovery codes, in place of those before', response: { 200: made } },
    config: { limit },
    async handler({ visit }, reply) {
      reply.header('cache-control', 'no-store')
      return { codes: await makeRecoveryCodes(await holderOf(await allowFresh(visit, 'workspace.enter'))) }
    },
  })

  app.post('/api/account/recovery-codes/use', {
    schema: {
      summary: 'Take the second step with a recovery code',
      body: z.object({ code: z.string().min(1).max(100) }),
      response: { 200: raised },
    },
    config: { limit },
    async handler({ visit, body: { code } }, reply) {
      reply.header('cache-control', 'no-store')
      const session = await toSessionAnswer(await useRecoveryCode(await holderOf(await allowSecondStep(visit)), code))
      return handOver(visit, reply, session)
    },
  })
}

const kept = z.object({ count: z.int(), madeAt: z.string().nullable() })
const made = z.object({ codes: z.array(z.string()) })
/** A program gets the session itself; a browser has it in its cookies, and its client renews what it holds. */
const raised = z.object({ aal: z.literal('aal2'), session: z.optional(sessionAnswer) })

async function allowHolder(visit: Visit): Promise<Holder> {
  return holderOf(await allow(visit, 'workspace.enter'))
}

async function holderOf({ id, sessionId }: Viewer): Promise<Holder> {
  if (isHosted) stop('notFound', 'There are no recovery codes for this account.')
  const { user, session } = await findSession({ userId: id, sessionId })
  return user && session ? { user, session } : stop('notSignedIn', 'Please sign in first.')
}

function handOver({ headers }: Visit, reply: FastifyReply, session: SessionAnswer) {
  if (headers['authorization']) return { aal: 'aal2' as const, session }
  rememberSession(reply, { access: session.access_token, refresh: session.refresh_token })
  return { aal: 'aal2' as const }
}
