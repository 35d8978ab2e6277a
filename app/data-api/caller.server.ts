import { allow } from '#app/access.server.ts'
import { isKeyLike } from '#app/api-keys/key-text.server.ts'
import { openKey } from '#app/api-keys/key-holder.server.ts'
import { noteRefusedKey } from '#app/api-keys/refused-key.server.ts'
import { giveBack, spend } from '#app/api-keys/quota.server.ts'
import { bearerTokenOf } from '#app/auth/bearer.server.ts'
import type { Person } from '#app/datasets/access.server.ts'
import { consume, type Limit, visitorKey } from '#app/platform/limits.server.ts'
import { Stop } from '#app/platform/stop.ts'
import type { Visit } from '#app/platform/visit.server.ts'
import type { Row } from '#db/tables.ts'

/** Who asks the Data API: a person with a key of theirs, or by the session of their browser. `used` counts requests of this month. */
export type Caller = { person: Person; key?: Row<'apiKeys'>; used: number }

/** Far more than a month's quota lets through; what is refused costs something as well. */
const PER_KEY: Limit = { name: 'data-api.key', points: 6000, seconds: 60 }
/** The pages of the product ask a page of rows at a time. */
const PER_VISITOR: Limit = { name: 'data-api.session', points: 1200, seconds: 600 }
/** A key that is wrong is wrong again a second later. */
const WRONG_KEYS: Limit = { name: 'data-api.wrong-key', points: 60, seconds: 60 }

const callers = new WeakMap<Visit, Caller>()

/** Finds out who asks, before anything of what was asked is looked at; stops with 401 where nobody does. */
export async function meetCaller(visit: Visit, whose = visit): Promise<void> {
  const text = bearerTokenOf(visit)
  callers.set(whose, text && isKeyLike(text) ? await byKey(text, visit) : await bySession(visit))
}

/** Who asks, once that is known. */
export function findCaller(visit: Visit): Caller | undefined {
  return callers.get(visit)
}

export function callerOf(visit: Visit): Caller {
  const caller = callers.get(visit)
  if (!caller) throw new Error('Nobody has looked who asks: this endpoint stands outside of the Data API.')
  return caller
}

/** Counts a request against the quota of its key and does its work. What gets no answer is not counted. */
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
    await giveBack(key, count)
    caller.used -= 1
    throw error
  }
}

/** Statuses of what the holder of a key may not have. */
const DENIED = new Set([401, 402, 403])

/** Records what the key of this request was refused. */
export function noteDenied(visit: Visit, error: unknown): void {
  const key = callers.get(visit)?.key
  if (!key || !(error instanceof Stop) || !DENIED.has(error.status)) return
  noteRefusedKey({ key, address: visit.address, reason: error.extra.code ?? error.kind, path: visit.path.split('?')[0]?.slice(0, 200) })
}

async function byKey(text: string, { address }: Visit): Promise<Caller> {
  const { key, owner, used } = await openKey(text, address).catch(async (error: unknown) => {
    await consume(WRONG_KEYS, visitorKey(address))
    throw error
  })
  await consume(PER_KEY, key.countedAs)
  return { person: owner, key, used }
}

async function bySession(visit: Visit): Promise<Caller> {
  const person = await allow(visit, 'workspace.enter')
  await consume(PER_VISITOR, visitorKey(visit.address))
  return { person, used: 0 }
}
