import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { audit, trailAction } from '#app/auth/users/audit.server.ts'
import { transaction } from '#app/platform/database/db.server.ts'
import type { Api } from '#app/platform/http/http.server.ts'
import { findCurrentUser } from './current-user.server.ts'

const named = z.object({ id: z.string() })

const pathNames = z.object({ id: z.string().optional(), idOrSlug: z.string().optional() })

/** The id in a response, for endpoints that create something and whose path does not name it. */
const made = new WeakMap<FastifyRequest, string>()

/**
 * Writes what an endpoint did to the audit log, where its `config.audit` names an action: actor, time and object. The response is sent
 * after the event is stored, so no export leaves unlogged.
 */
export function addAuditTrail(app: Parameters<Api>[0]): void {
  app.addHook('preSerialization', async (request, _reply, payload: unknown) => {
    const answer = named.safeParse(payload)
    if (answer.success) made.set(request, answer.data.id)
    return payload
  })
  app.addHook('onSend', async (request, reply, payload) => {
    const action = trailAction.safeParse(request.routeOptions.config.audit)
    if (action.success && reply.statusCode < 400 && !isDry(request)) await note(request, action.data)
    return payload
  })
}

async function note(request: FastifyRequest, action: z.infer<typeof trailAction>): Promise<void> {
  const currentUser = await findCurrentUser(request.requestContext)
  if (!currentUser) return
  const inPath = pathNames.safeParse(request.params).data ?? {}
  // A path that also accepts a slug names the object less exactly than the response does.
  const object = inPath.id ?? made.get(request) ?? inPath.idOrSlug
  const detail = { ...(object && { object }), ...filterOf(request) }
  await transaction((trx) => audit(trx, action, { actorId: currentUser.id, address: request.requestContext.address, detail }))
}

/** Parameters that order or format an export, and choose no part of it. */
const ARRANGEMENT = new Set(['sort', 'format', 'bom'])

/** Which part was exported: the parameters that the request names itself, without defaults. Text that people typed stays out of the log. */
function filterOf({ method, url, query }: FastifyRequest): { filter?: string[] } {
  if (method !== 'GET' || typeof query !== 'object' || query === null) return {}
  const given = new URL(url, 'http://localhost').searchParams
  const filter = Object.keys(query).filter((name) => given.get(name) && !ARRANGEMENT.has(name))
  return filter.length > 0 ? { filter } : {}
}

function isDry({ query }: FastifyRequest): boolean {
  return z.object({ dry: z.literal('true') }).safeParse(query).success
}
