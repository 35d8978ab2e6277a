import { z } from 'zod'
import { bearerTokenOf, rememberHolder } from '#app/auth/bearer.server.ts'
import type { Actor } from '#app/identity/audit.server.ts'
import { refuse } from '#app/auth-protocol/refusal.ts'
import { db } from '#app/platform/db.server.ts'
import type { Api } from '#app/platform/http.server.ts'
import type { Visit } from '#app/platform/visit.server.ts'
import { readAdminToken } from '#app/session/admin-token.server.ts'
import { findSession, isBanned } from '#app/session/session.server.ts'
import { requireSecondStep } from '#app/session/second-step.server.ts'

const actors = new WeakMap<Visit, Actor>()

/** Endpoints to which nobody but an administrator comes: that is looked at before anything of what was sent. */
export function adminsOnly(endpoints: Api[]): Api {
  return async (app) => {
    app.addHook('onRequest', async ({ visit }) => void actors.set(visit, await allowAdmin(visit)))
    for (const endpoint of endpoints) await app.register(endpoint)
  }
}

/** Who asks, for the log of what was done. */
export function actorOf(visit: Visit): Actor {
  const actor = actors.get(visit)
  if (!actor) throw new Error('Nobody has looked who asks: this endpoint stands outside of the group for administrators.')
  return actor
}

async function allowAdmin(visit: Visit): Promise<Actor> {
  const token = bearerTokenOf(visit)
  if (!token) refuse('no_authorization')
  const read = await readAdminToken(token)
  if (read === 'invalid') refuse('bad_jwt')
  if (read === 'expired') refuse('bad_jwt', { sentence: 'invalid JWT: unable to parse or verify signature, token is expired' })
  if (read.userId) rememberHolder(visit, read.userId)
  if (!read.isAdmin) refuse('not_admin')
  if (read.sessionId !== undefined) await checkSession(read.userId, read.sessionId)
  return { id: read.userId, address: visit.address }
}

async function checkSession(userId: string | undefined, sessionId: unknown): Promise<void> {
  const known = z.uuid().safeParse(sessionId)
  if (!known.success || !userId) refuse('session_not_found')
  const { user, session } = await findSession({ userId, sessionId: known.data })
  if (!user) refuse('user_not_found')
  if (!session) refuse('session_not_found')
  if (isBanned(user)) refuse('user_banned', { kind: 'forbidden' })
  await requireSecondStep(db, { id: user.id, aal: session.aal })
}
