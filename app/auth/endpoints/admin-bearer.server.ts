import { z } from 'zod'
import { refuseToken, rememberPrincipal, requireBearer } from '#app/auth/http/bearer.server.ts'
import type { Actor } from '#app/auth/users/audit.server.ts'
import { refuse } from '#app/auth/protocol/refusal.ts'
import { db } from '#app/platform/database/db.server.ts'
import type { Api } from '#app/platform/http/http.server.ts'
import type { RequestContext } from '#app/platform/http/request-context.server.ts'
import { readAdminToken } from '#app/auth/sessions/jwt.server.ts'
import { findSession, isBanned } from '#app/auth/sessions/session.server.ts'
import { requireMfa } from '#app/auth/sessions/mfa.server.ts'

const actors = new WeakMap<RequestContext, Actor>()

/** Endpoints for administrators only. The token is checked before the request is parsed. */
export function adminsOnly(endpoints: Api[]): Api {
  return async (app) => {
    app.addHook('onRequest', async ({ requestContext }) => void actors.set(requestContext, await allowAdmin(requestContext)))
    for (const endpoint of endpoints) await app.register(endpoint)
  }
}

/** The administrator, for the audit log. */
export function actorOf(requestContext: RequestContext): Actor {
  const actor = actors.get(requestContext)
  if (!actor) throw new Error('The caller was not checked: register this endpoint in adminsOnly.')
  return actor
}

async function allowAdmin(requestContext: RequestContext): Promise<Actor> {
  const read = await readAdminToken(requireBearer(requestContext))
  if (typeof read === 'string') refuseToken(read)
  if (read.userId) rememberPrincipal(requestContext, read.userId)
  if (!read.isAdmin) refuse('not_admin')
  if (read.sessionId !== undefined) await checkSession(read.userId, read.sessionId)
  return { id: read.userId, address: requestContext.address }
}

async function checkSession(userId: string | undefined, sessionId: unknown): Promise<void> {
  const known = z.uuid().safeParse(sessionId)
  if (!known.success || !userId) refuse('session_not_found')
  const { user, session } = await findSession({ userId, sessionId: known.data })
  if (!user) refuse('user_not_found')
  if (!session) refuse('session_not_found')
  if (isBanned(user)) refuse('user_banned', { kind: 'forbidden' })
  await requireMfa(db, { id: user.id, aal: session.aal })
}
