import { allowMember } from '#app/organizations/organization/membership.server.ts'
import { isKeyLike } from '#app/data-api/keys/key-text.server.ts'
import { openKey } from '#app/data-api/keys/key-holder.server.ts'
import { noteRefusedKey } from '#app/data-api/keys/refused-key.server.ts'
import { refundRequest, spend } from '#app/data-api/keys/quota.server.ts'
import type { DatasetVisitor } from '#app/datasets/catalog/access.server.ts'
import { consume, type Limit, visitorKey } from '#app/platform/guard/limits.server.ts'
import { Stop } from '#app/platform/errors/stop.ts'
import { bearerTokenOf, type RequestContext } from '#app/platform/http/request-context.server.ts'
import type { Row } from '#db/tables.ts'

/** The caller of the Data API: a person with an API key, or with a browser session. `used` counts this month's requests. */
export type Caller = { person: DatasetVisitor; key?: Row<'apiKeys'>; used: number }

/** Far more than a monthly quota allows. Refused requests cost something as well. */
const PER_KEY: Limit = { name: 'data-api.key', points: 6000, seconds: 60 }
/** The pages of the product load one page of rows at a time. */
const PER_VISITOR: Limit = { name: 'data-api.session', points: 1200, seconds: 600 }
/** A wrong key stays wrong. */
const WRONG_KEYS: Limit = { name: 'data-api.wrong-key', points: 60, seconds: 60 }

const callers = new WeakMap<RequestContext, Caller>()

/** Authenticates the caller before anything else; throws 401 if that fails. */
export async function meetCaller(requestContext: RequestContext, whose = requestContext): Promise<void> {
  const text = bearerTokenOf(requestContext)
  callers.set(whose, text && isKeyLike(text) ? await byKey(text, requestContext) : await bySession(requestContext))
}

/** The caller of a request after authentication. */
export function findCaller(requestContext: RequestContext): Caller | undefined {
  return callers.get(requestContext)
}

export function callerOf(requestContext: RequestContext): Caller {
  const caller = callers.get(requestContext)
  if (!caller) throw new Error('The caller is not authenticated: this endpoint is outside of the Data API.')
  return caller
}

/** Counts a request against the quota of its key and does the work. A request without a response is not counted. */
export async function counted<T>(caller: Caller, work: () => Promise<T>): Promise<T> {
  const { key } = caller
  if (!key) return work()
  const count = await spend(key).catch((error: unknown) => {
    if (error instanceof Stop) caller.used = key.monthlyQuota
    throw error
  })
  caller.used = count.used
  try {
    return await work()
  } catch (error) {
    await refundRequest(key, count)
    caller.used -= 1
    throw error
  }
}

/** Statuses that deny something to a caller. */
const DENIED = new Set([401, 402, 403])

/** Records what the key of this request was refused. */
export function noteDeniedKey(requestContext: RequestContext, error: unknown): void {
  const key = callers.get(requestContext)?.key
  if (!key || !(error instanceof Stop) || !DENIED.has(error.status)) return
  noteRefusedKey({
    key,
    address: requestContext.address,
    reason: error.extra.code ?? error.kind,
    path: requestContext.path.split('?')[0]?.slice(0, 200),
  })
}

async function byKey(text: string, { address }: RequestContext): Promise<Caller> {
  const { key, owner, used } = await openKey(text, address).catch(async (error: unknown) => {
    await consume(WRONG_KEYS, visitorKey(address))
    throw error
  })
  await consume(PER_KEY, key.countedAs)
  return { person: owner, key, used }
}

async function bySession(requestContext: RequestContext): Promise<Caller> {
  const person = await allowMember(requestContext, 'workspace.enter')
  await consume(PER_VISITOR, visitorKey(requestContext.address))
  return { person, used: 0 }
}
